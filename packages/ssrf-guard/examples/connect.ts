import { addressKind, hostKind, pinnedLookup, resolveAllowed } from '@pith-mcp/ssrf-guard'

console.log(addressKind('169.254.169.254'), addressKind('10.0.0.1'), addressKind('8.8.8.8'))
console.log(hostKind('printer.local'), hostKind('example.org'))

// Private addresses are filtered out. Connect to the addresses that were checked.
const addresses = await resolveAllowed(
  'example.org',
  (address) => addressKind(address) === 'public',
  async () => ['10.0.0.1', '8.8.8.8'],
)
console.log(addresses, typeof pinnedLookup(addresses))
