import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBoundedFetch, safeAddress } from '../src/bounded-fetch.ts'

const web = 'https://notes.test/mcp'

/** What names lead to; nothing is looked up. */
const names: Record<string, string[]> = {
  'notes.test': ['203.1.2.3'],
  'as.test': ['203.1.2.4'],
  'notes.corp.test': ['10.0.0.7'],
  'sso.corp.test': ['10.0.0.8'],
  'two-faced.test': ['203.1.2.5', '10.0.0.9'],
  'as.internal': ['10.0.0.10'],
  localhost: ['127.0.0.1', '::1'],
}
const resolve = async (host: string) => {
  const found = host.endsWith('.nip.io') ? [host.replace('.nip.io', '')] : names[host]
  if (found === undefined) throw Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' })
  return found
}

test.each([
  ['https://as.test/token', 'public', true],
  ['http://as.test/token', 'public', false],
  ['http://127.0.0.1.as.test/token', 'public', false],
  ['ftp://as.test/token', 'public', false],
  ['ftp://127.0.0.1/token', 'loopback', false],
  ['javascript:alert(1)', 'public', false],
  ['http://127.0.0.1:5/token', 'public', false],
  ['http://localhost/token', 'loopback', true],
  ['http://[::1]:5/token', 'loopback', true],
  ['http://10.0.0.8/token', 'loopback', false],
  ['http://10.0.0.8/token', 'private', true],
  ['http://127.0.0.1:5/token', 'private', false],
  ['http://as.internal/token', 'private', true],
  ['http://as.test/token', 'private', false],
] as const)('%s for a server that is %s: %j', (address, kind, isSafe) => {
  const check = () => safeAddress(address, kind)
  if (isSafe) expect(check().href).toBe(address)
  else expect(check).toThrow('not https')
})

describe('an address that leads inside', () => {
  const ask = async (url: string, serverUrl = web) => {
    const asked: string[] = []
    const fetch = createBoundedFetch({
      serverUrl,
      resolve,
      async fetch(_url, _init, addresses) {
        asked.push(...addresses)
        return new Response('{}')
      },
    })
    const outcome = await fetch(url).then(
      () => 'asked',
      (error: Error) => error.message,
    )
    return { outcome, asked }
  }

  test.each([
    '169.254.169.254',
    '[::ffff:10.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:127.0.0.1]:8443',
    '0.0.0.0',
    '[::]',
    '[fe80::1]',
    '[fec0::1]',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[64:ff9b::a00:1]',
    '[2002:a00:1::]',
    '2130706433',
    '0x7f.1',
    'localhost.',
    'foo.localhost',
    'a.internal.',
    'metadata',
    'kubernetes.default.svc.cluster.local',
    'sso.corp',
    'sso.corp.test',
    '10.0.0.1.nip.io',
    '169.254.169.254.nip.io',
  ])('is not asked for a public server: %s', async (host) => {
    const { outcome, asked } = await ask(`https://${host}/token`)
    expect(outcome).toMatch(/is not an allowed address|no public/)
    expect(asked).toEqual([])
  })

  test.each(['169.254.169.254', '0.0.0.0', '[fe80::1]', '[::ffff:127.0.0.1]', 'metadata'])(
    'is not asked for any server: %s',
    async (host) => {
      for (const server of [
        'http://127.0.0.1/mcp',
        'http://10.0.0.1/mcp',
        'http://notes.corp.test',
      ])
        expect((await ask(`http://${host}/token`, server)).asked).toEqual([])
    },
  )

  test('is asked for a server of the same kind, by a name that leads there, too', async () => {
    const inside = await ask('https://sso.corp.test/token', 'https://notes.corp.test/mcp')
    expect(inside).toEqual({ outcome: 'asked', asked: ['10.0.0.8'] })
    const local = await ask('http://localhost:7/token', 'http://127.0.0.1:8/mcp')
    expect(local.asked).toEqual(['127.0.0.1', '::1'])
  })

  test('is left out where a name leads to others as well: those are dialled', async () => {
    expect((await ask('https://two-faced.test/token')).asked).toEqual(['203.1.2.5'])
  })

  test('of the server is found out once: a name that says otherwise later changes nothing', async () => {
    let times = 0
    const fetch = createBoundedFetch({
      serverUrl: 'https://rebinding.test/mcp',
      resolve: async (host) => {
        if (host === 'rebinding.test') return times++ === 0 ? ['203.1.2.3'] : ['10.0.0.1']
        return resolve(host)
      },
      fetch: async () => new Response('{}'),
    })
    await fetch('https://as.test/token')
    await expect(fetch('https://sso.corp.test/token')).rejects.toThrow('is not an allowed address')
  })
})

test('a name that cannot be resolved now is resolved again later', async () => {
  let times = 0
  const fetch = createBoundedFetch({
    serverUrl: 'https://notes.corp.test/mcp',
    async resolve(host) {
      if (times++ === 0) throw Object.assign(new Error('later'), { code: 'EAI_AGAIN' })
      return resolve(host)
    },
    fetch: async () => new Response('{}'),
  })
  await expect(fetch('https://sso.corp.test/token')).rejects.toThrow(
    'cannot be reached (EAI_AGAIN)',
  )
  expect((await fetch('https://sso.corp.test/token')).status).toBe(200)
})

test('names of a private network may stand for this machine', async () => {
  const here = async () => ['127.0.1.1']
  const fetch = (serverUrl: string) =>
    createBoundedFetch({ serverUrl, resolve: here, fetch: async () => new Response('{}') })
  for (const [server, address] of [
    ['http://myhost:8080/mcp', 'http://myhost:8080/token'],
    ['http://mcp.local:8080/mcp', 'http://mcp.local:8080/token'],
    ['http://localhost:8080/mcp', 'http://auth.local:8080/token'],
  ] as const)
    expect((await fetch(server)(address)).status).toBe(200)
})

test('resolving a name takes no longer than the whole may', async () => {
  const fetch = createBoundedFetch({
    serverUrl: web,
    timeoutMs: 100,
    resolve: () => new Promise(() => {}),
    fetch: async () => new Response('{}'),
  })
  await expect(fetch('https://as.test/token')).rejects.toThrow('did not answer within 0.1 s')
})

test('what is dialled is what was resolved', async () => {
  const server = createServer((request, response) => response.end(request.headers.host))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const fetch = createBoundedFetch({
    serverUrl: 'http://127.0.0.1/mcp',
    resolve: async () => ['127.0.0.1'],
  })
  const answer = await fetch(`http://as.localhost:${port}/token`, { method: 'POST', body: 'x' })
  expect(await answer.text()).toBe(`as.localhost:${port}`)
})

test('an answer is read whole, with its status and headers, and no redirect is followed', async () => {
  const asked: RequestInit[] = []
  const fetch = createBoundedFetch({
    serverUrl: web,
    resolve,
    async fetch(_url, init) {
      asked.push(init ?? {})
      return new Response('{"a":1}', { status: 418, headers: { 'x-y': 'z' } })
    },
  })
  const answer = await fetch('https://as.test/token')
  expect([answer.status, answer.headers.get('x-y'), await answer.json()]).toEqual([
    418,
    'z',
    { a: 1 },
  ])
  expect(asked[0]?.redirect).toBe('manual')
})

test('one without end is not', async () => {
  const body = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(50_000)) })
  const fetch = createBoundedFetch({
    serverUrl: web,
    resolve,
    fetch: async () => new Response(body),
  })
  await expect(fetch('https://as.test/x')).rejects.toThrow(
    /^https:..as.test sent more than 256 kB$/,
  )
})
