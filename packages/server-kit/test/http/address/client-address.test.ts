import { afterEach, expect, test } from 'vitest'
import { networkOf } from '../../../src/http/address/client-address.ts'
import { clientAddress } from '../../../src/index.ts'
import { openTestEndpoint, route } from '../../knock.ts'

let close: () => unknown = () => {}
afterEach(() => close())

const told = route('/told', {
  scope: 'public',
  handle: (request, response) => void response.end(clientAddress(request)),
})

const proxies = ['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48']

test.each([
  ['nothing is trusted', [], '192.0.2.1', '127.0.0.1'],
  ['another is trusted', ['10.0.0.0/8'], '192.0.2.1', '127.0.0.1'],
  ['no header', proxies, undefined, '127.0.0.1'],
  ['the client', proxies, '192.0.2.1', '192.0.2.1'],
  ['what the client has written is left of it', proxies, '6.6.6.6, 192.0.2.1', '192.0.2.1'],
  ['several proxies', proxies, '6.6.6.6,192.0.2.1 , 10.9.8.7', '192.0.2.1'],
  ['all are proxies', proxies, '10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ['a proxy whose text is no address', proxies, '192.0.2.1, unknown, 10.0.0.2', '10.0.0.2'],
  ['a text that is no address', proxies, '<script>', '127.0.0.1'],
  ['a port', proxies, '192.0.2.1:4711', '192.0.2.1'],
  ['IPv6', proxies, '2001:db8:2::1, 2001:db8:1::5', '2001:db8:2::1'],
  ['IPv6 with a port', proxies, '[2001:db8:2::1]:4711', '2001:db8:2::1'],
  ['IPv4 as IPv6', proxies, '192.0.2.1, ::ffff:10.0.0.2', '192.0.2.1'],
])('the address of a client: %s', async (_, trustedProxies, forwarded, expected) => {
  const endpoint = await openTestEndpoint([told], { trustedProxies })
  ;({ close } = endpoint)
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  expect(await (await endpoint.ask('/told', { headers })).text()).toBe(expected)
})

test('it is in the log of rejected requests', async () => {
  const endpoint = await openTestEndpoint([], { trustedProxies: ['127.0.0.1'] })
  ;({ close } = endpoint)
  await endpoint.ask('/nothing', { headers: { 'x-forwarded-for': '192.0.2.1' } })
  expect(endpoint.refused).toMatchObject([{ address: '192.0.2.1' }])
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('a client is %s and all of %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
