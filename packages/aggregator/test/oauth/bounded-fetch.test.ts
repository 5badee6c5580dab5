import { expect, test } from 'vitest'
import { createBoundedFetch, safeAddress } from '../../src/oauth/bounded-fetch.ts'

const web = 'https://notes.test/mcp'
const intranet = 'http://notes.internal/mcp'

test.each([
  ['https://as.test/token', web, true],
  ['http://127.0.0.1:5/token', web, false],
  ['http://[::1]:5/token', web, false],
  ['http://localhost/token', web, false],
  ['http://as.test/token', web, false],
  ['http://127.0.0.1.as.test/token', web, false],
  ['http://10.0.0.8/token', web, false],
  ['ftp://as.test/token', web, false],
  ['javascript:alert(1)', web, false],
  ['http://10.0.0.8/token', intranet, true],
  ['http://as.internal/token', intranet, true],
  ['http://as.test/token', intranet, false],
  ['http://as.internal/token', 'http://notes.test/mcp', false],
])('%s for %s: %j', (address, server, isSafe) => {
  const check = () => safeAddress(address, server)
  if (isSafe) expect(check().href).toBe(address)
  else expect(check).toThrow('not https')
})

test('an answer is read whole, with its status and headers, and no redirect is followed', async () => {
  const asked: RequestInit[] = []
  const fetch = createBoundedFetch({
    serverUrl: web,
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
  const fetch = createBoundedFetch({ serverUrl: web, fetch: async () => new Response(body) })
  await expect(fetch('https://as.test/x')).rejects.toThrow(
    /^https:..as.test says more than 256 kB$/,
  )
})
