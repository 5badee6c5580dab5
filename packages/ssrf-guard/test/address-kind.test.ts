import { addressKind, hostKind, isLocalName } from '@pith-mcp/ssrf-guard'
import { expect, test } from 'vitest'

const table = {
  public: ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '64:ff9b::808:808'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '[::1]'],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    'fc00::1',
    'fd12::1',
    'fec0::1',
  ],
  forbidden: [
    '0.0.0.0',
    '0.1.2.3',
    '169.254.1.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '[::]',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:8.8.8.8',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '::10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b::7f00:1',
    '2002:a00:1::',
    '2001:db8::1',
    '2001::1',
    '2a00::200:5efe:169.254.169.254',
    '2606:4700::5efe:127.0.0.1',
    '4000::1',
    'c000::1',
    'no address',
    '',
  ],
} as const

test.each(Object.entries(table).flatMap(([kind, all]) => all.map((one) => [one, kind] as const)))(
  '%s is %s',
  (address, kind) => expect(addressKind(address)).toBe(kind),
)

test.each([
  ['localhost', 'loopback'],
  ['LOCALHOST.', 'loopback'],
  ['foo.localhost', 'loopback'],
  ['a.internal', 'private'],
  ['a.internal.', 'private'],
  ['printer.local', 'private'],
  ['host.localdomain', 'private'],
  ['nas.lan', 'private'],
  ['x.home.arpa', 'private'],
  ['sso.corp', 'private'],
  ['kubernetes', 'private'],
  ['metadata', 'forbidden'],
  ['metadata.google.internal', 'forbidden'],
  ['[fe80::1]', 'forbidden'],
  ['10.1.2.3', 'private'],
  ['example.org', undefined],
  ['10.0.0.1.nip.io', undefined],
  ['localhost.example.org', undefined],
])('of %s alone can be told: %s', (host, kind) => expect(hostKind(host)).toBe(kind))

test('names that lead inside wherever they are resolved', () => {
  expect(['a.internal', 'localhost', 'x.local.'].every(isLocalName)).toBe(true)
  expect(['example.org', 'internal.example.org', 'nas.lan'].some(isLocalName)).toBe(false)
})
