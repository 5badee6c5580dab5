import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, request as send } from 'node:http'
import { RejectedError } from '@pith-mcp/server-kit'
import { expect, test } from 'vitest'
import { createSigner } from '../../../../packages/base/src/signer.ts'
import { createEnvelopes, hashOf } from '../../../../packages/replicas/src/directory/envelope.ts'
import { listening } from '../open/serve-here.ts'
import { clusterKey, openReplica } from './one-replica.ts'

const session = 'rbbbbbbbb.1'
const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'wipe' } }
const credentials = {
  authorization: 'Bearer secret',
  cookie: 'pith_console=secret',
  'x-api-key': 'secret',
  'proxy-authorization': 'secret',
  'x-pith-proof': 'secret',
  'x-pith-client': '10.0.0.1',
}

/** What a client of `url` sends. */
const post = (url: string, headers: Record<string, string> = {}, body: unknown = message) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-session-id': session, ...headers },
    body: JSON.stringify(body),
  })

interface Caught {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Somebody in the place of a replica, who sees what is passed on. */
async function startThief() {
  const caught: Caught[] = []
  const port = await listening(
    createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { method = '', url: path = '', headers } = request
      caught.push({ method, path, headers, body: Buffer.concat(chunks).toString() })
      response.end('{}')
    }),
  )
  return { caught, url: `http://127.0.0.1:${port}` }
}

function repeat(address: string, { method, path, headers, body }: Caught): Promise<number> {
  const { host: _host, ...rest } = headers
  return new Promise((resolve, reject) => {
    send(`${address}${path}`, { method, headers: rest }, (reply) => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
      .on('error', reject)
      .end(body)
  })
}

/** Two replicas, of which `b` notes what it runs. */
async function openTwo(more: Parameters<typeof openReplica>[1] = {}) {
  const ran: string[] = []
  const a = await openReplica('aaaaaaaa', more)
  const b = await openReplica('bbbbbbbb', {
    leases: a.leases,
    ...more,
    handle({ headers, url }, response, { kind, name = '', profile = '' }) {
      ran.push(`${url} ${kind} ${name} ${profile}`.trim())
      response.end(JSON.stringify(headers))
    },
  })
  return { a, b, ran }
}

test('a request is passed on with who sent it, and without any credential', async () => {
  const { a, ran } = await openTwo()
  const seen = await (await post(a.url, credentials)).text()
  expect(ran).toEqual(['/mcp token ada'])
  expect(JSON.parse(seen)).toMatchObject({ 'mcp-session-id': session })
  expect(seen).not.toContain('secret')
})

test('the replica that runs a request decides with what it knows of who sent it', async () => {
  const recognise = (found: { name?: string | undefined }) => {
    if (found.name !== 'ada') throw new Error('nobody')
    if (isRevoked) throw new RejectedError('unknown_token', 401, 'The bearer token is not valid.')
    return {
      kind: 'token',
      name: 'ada',
      profile: 'new',
      scopes: new Set(['mcp'] as const),
    } as const
  }
  let isRevoked = false
  const { a, ran } = await openTwo({ recognise })
  expect((await post(a.url)).status).toBe(200)
  expect(ran).toEqual(['/mcp token ada new'])
  isRevoked = true
  expect((await post(a.url)).status).toBe(401)
  expect(ran).toHaveLength(1)
})

test('a sign-in goes on at the replica that its state names, without a principal', async () => {
  const { a, ran } = await openTwo()
  await fetch(`${a.url}/callback?state=${session}&code=1`, { headers: credentials })
  expect(ran).toEqual([`/callback?state=${session}&code=1 anyone`])
})

test('whoever is passed a request gets no credential, and nothing that a replica takes', async () => {
  const { a, b, ran } = await openTwo()
  const thief = await startThief()
  const { address } = b
  a.leases.set('replica bbbbbbbb', thief.url)
  await post(a.url, credentials)
  const [first] = thief.caught
  if (first === undefined) throw new Error('Nothing was passed on.')
  expect(JSON.stringify(thief.caught)).not.toContain('secret')
  const envelope = String(first.headers['x-pith-envelope'])
  const [content = '', mac = ''] = envelope.split('.')
  const inside = JSON.parse(Buffer.from(content, 'base64url').toString())
  const forged = (change: object, signature = mac) =>
    `${Buffer.from(JSON.stringify({ ...inside, ...change })).toString('base64url')}.${signature}`
  const other = createSigner([randomBytes(32)])
  const altered: Partial<Caught>[] = [
    { method: 'GET', body: '' },
    { path: '/callback' },
    { path: '/mcp?mode=full' },
    { body: first.body.replace('wipe', 'read') },
    { headers: { ...first.headers, 'mcp-session-id': 'rbbbbbbbb.2' } },
    { headers: { ...first.headers, 'mcp-name': 'another' } },
    ...[
      '',
      'Replica x',
      `.${mac}`,
      forged({ client: '10.0.0.1' }),
      forged({ principal: { kind: 'owner', scopes: ['mcp', 'console'] } }),
      forged({}, other.sign(content)),
    ].map((text) => ({ headers: { ...first.headers, 'x-pith-envelope': text } })),
  ]
  for (const change of altered) {
    const headers = change.headers ?? first.headers
    const { 'content-length': _length, ...rest } = headers
    expect(
      await repeat(address, { ...first, ...change, headers: rest }),
      JSON.stringify(change),
    ).toBe(403)
  }
  expect(ran).toEqual([])
  // One of them had its own envelope: this is the replay.
  expect(await repeat(address, first)).toBe(403)
  // For B, not for A.
  await post(a.url)
  expect(await repeat(a.address, thief.caught[1] as Caught)).toBe(403)
  expect(ran).toEqual([])
  expect(b.rejections.length).toBeGreaterThan(0)
  expect(new Set([...a.rejections, ...b.rejections])).toEqual(new Set(['403 envelope']))
})

test('an envelope is opened once, within half a minute, by one replica', () => {
  let now = 1_000_000
  const signer = createSigner([randomBytes(32)])
  const [a, b] = ['aaaaaaaa', 'bbbbbbbb'].map((id) => createEnvelopes(signer, id, () => now))
  const request = { method: 'GET', url: '/mcp', headers: {} }
  const passed = { to: 'bbbbbbbb', at: now, client: '::1', principal: undefined, body: hashOf('') }
  const open = (by: typeof a, headers: object) => by?.open({ ...request, headers: { ...headers } })
  const sealed = () => a?.seal(request, { ...passed, at: now }) ?? {}
  const once = sealed()
  expect(() => open(a, once)).toThrow('another replica')
  expect(open(b, once)).toMatchObject({ client: '::1' })
  for (const later of [0, 29_000, 2_000]) {
    now += later
    expect(() => open(b, once)).toThrow(/opened before|another time/)
  }
  const late = sealed()
  now += 30_001
  expect(() => open(b, late)).toThrow('another time')
  now -= 60_002
  expect(() => open(b, late)).toThrow('another time')
})

const isLong = process.env['LONG'] !== undefined

test.runIf(isLong)(
  'more envelopes than are remembered are refused, and none is forgotten',
  () => {
    let now = 0
    const envelopes = createEnvelopes(createSigner([randomBytes(32)]), 'bbbbbbbb', () => now)
    const request = { method: 'GET', url: '/mcp', headers: {} }
    const passed = { to: 'bbbbbbbb', client: '::1', principal: undefined, body: '' }
    const sealed = () => envelopes.seal(request, { ...passed, at: now })
    const first = sealed()
    const open = (headers: object) => envelopes.open({ ...request, headers: { ...headers } })
    open(first)
    for (let at = 1; at < 100_000; at++) open(sealed())
    expect(() => open(sealed())).toThrow('too many')
    expect(() => open(first)).toThrow('opened before')
    now += 31_000
    expect(open(sealed())).toMatchObject({ client: '::1' })
  },
  30_000,
)

test('with two keys, replicas before and after a change of the key understand each other', async () => {
  const [old, young] = [clusterKey(1), clusterKey(2)]
  const steps = [
    [old, `${old},${young}`],
    [`${old},${young}`, `${young},${old}`],
    [`${young},${old}`, young],
  ] as const
  for (const [left, right] of steps)
    for (const [from, to] of [
      [left, right],
      [right, left],
    ] as const) {
      const a = await openReplica('aaaaaaaa', { key: from })
      const b = await openReplica('bbbbbbbb', { key: to, leases: a.leases })
      expect((await post(a.url)).status).toBe(200)
      expect([...a.rejections, ...b.rejections]).toEqual([])
    }
  const a = await openReplica('aaaaaaaa', { key: old })
  await openReplica('bbbbbbbb', { key: young, leases: a.leases })
  // Nothing was done: the client initialises again.
  expect((await post(a.url)).status).toBe(404)
  expect(a.logs.join()).toContain('no envelope signed with PITH_CLUSTER_KEY')
})

test.each([
  ['is gone, its session is not found', false, 404, null],
  ['cannot be looked up, the client tries again', true, 503, '1'],
] as const)('where a replica %s', async (_, isUnknown, status, retryAfter) => {
  const { url } = await openReplica('aaaaaaaa', { isUnknown })
  const response = await post(url)
  expect(response.status).toBe(status)
  expect(response.headers.get('retry-after')).toBe(retryAfter)
})
