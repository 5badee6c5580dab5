import { isIP } from 'node:net'
import { type AddressKind, addressKind } from './address-kind.ts'

const loopbackName = /(?:^|\.)localhost$/i
const localName = /(?:^|\.)(?:localhost|localdomain|local|internal)$/i
const privateName = /(?:^|\.)(?:corp|home|home\.arpa|intranet|lan|private)$/i
/** Names under which clouds answer with credentials. */
const metadataName = /^(?:metadata|metadata\.goog|instance-data|metadata\.google\.internal)$/i

/** Without brackets and the dot at the end; as a URL has it, or as it was written. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** True for a name that leads inside wherever it is resolved. */
export const isLocalName = (host: string): boolean => localName.test(bareHost(host))

/** What can be told of a host without resolving it: of an address all; of most names nothing. */
export function hostKind(host: string): AddressKind | undefined {
  const name = bareHost(host)
  if (isIP(name) !== 0) return addressKind(name)
  if (metadataName.test(name)) return 'forbidden'
  if (loopbackName.test(name)) return 'loopback'
  if (isLocalName(name) || privateName.test(name) || !name.includes('.')) return 'private'
  return undefined
}
