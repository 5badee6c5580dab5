import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../base/test/temporary-folder.ts'
import { SignInNeeded } from '../../../../servers/src/connection/sign-in-needed.ts'
import { answerWith, at, type Framed, openAt, serveOddly } from './odd-http-server.ts'

const json = 'application/json'
const stream = 'text/event-stream'

const bodies = {
  nothing: '',
  'half a message': '{"jsonrpc":',
  'a page': '<!doctype html><title>Sign in</title>',
  'other JSON': '{"error":"no session"}',
  'an empty list': '[]',
  null: 'null',
  'an error': '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32600,"message":"no"}}',
  'an error with the id null': '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}',
  'an error without an id': '{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}',
  'an error with another id':
    '{"jsonrpc":"2.0","id":"server-error","error":{"code":1,"message":""}}',
  'an error without a code': '{"jsonrpc":"2.0","id":$ID,"error":{"message":"no"}}',
  'an error that is a text': '{"jsonrpc":"2.0","id":$ID,"error":"no"}',
  'an empty result': '{"jsonrpc":"2.0","id":$ID,"result":{}}',
  'the result null': '{"jsonrpc":"2.0","id":$ID,"result":null}',
  'versions that nobody knows':
    '{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"complete","supportedVersions":["2031-01-01"],"capabilities":{}}}',
}

const statuses = [202, 204, 307, 400, 401, 403, 404, 405, 406, 415, 429, 500, 501, 503]

const framings: Record<string, (body: string) => Framed> = {
  JSON: (body) => ({ type: json, body }),
  'an event': (body) => ({ type: stream, body: `event: message\ndata: ${body}\n\n` }),
  'an event without a blank line': (body) => ({ type: stream, body: `data: ${body}` }),
  'an event stream without events': (body) => ({ type: stream, body }),
  text: (body) => ({ type: 'text/html', body }),
  'no type': (body) => ({ body }),
}

const all: [string, Framed][] = [
  ...Object.entries(bodies).flatMap(([what, body]) =>
    Object.entries(framings).map(([how, framed]): [string, Framed] => [
      `${what} as ${how}`,
      framed(body),
    ]),
  ),
  ...Object.entries(bodies).flatMap(([what, body]) =>
    statuses.map((status): [string, Framed] => [
      `${what} with ${status}`,
      { status, type: json, body: status === 204 ? '' : body },
    ]),
  ),
]
/** Coprime to both tables: each body, framing and status is among them. */
/** Waits for the probe to be over: for the long tier. */
const slow = test.runIf(process.env['LONG'])

const refusals = process.env['LONG'] ? all : all.filter((_, index) => index % 5 === 0)

test.each(refusals)(
  'a probe that is answered with %s is followed by initialize',
  async (_, framed) => {
    const { url, requests, close } = await serveOddly(answerWith('server/discover', framed))
    const { connection, call } = await openAt(at(url))
    expect([connection.era, await call()]).toEqual(['legacy', 'here'])
    expect(requests.filter((method) => method === 'initialize')).toHaveLength(1)
    await connection.close()
    close()
  },
)

test('a probe over which the connection breaks is followed by initialize', async () => {
  const { url } = await serveOddly(({ method }, response) => {
    if (method !== 'server/discover') return false
    response.destroy()
    return true
  })
  const { connection } = await openAt(at(url))
  expect(connection.era).toBe('legacy')
})

slow('a probe that is not answered is followed by initialize', async () => {
  const { url } = await serveOddly(({ method }) => method === 'server/discover')
  const { connection } = await openAt(at(url))
  expect([connection.era, connection.isProbed]).toEqual(['legacy', true])
})

slow('a server of 2026 that wakes up slowly is spoken to as one', async () => {
  const waiting: (() => void)[] = []
  const refuse = answerWith('initialize', { status: 400, type: json, body: '{}' })
  const { url } = await serveOddly((request, response) => {
    if (request.method === 'initialize') {
      // What waits is answered after the refusal.
      setImmediate(() => waiting[0]?.())
      return refuse(request, response)
    }
    if (request.method !== 'server/discover' || waiting.length > 0) return false
    waiting.push(() => {
      response.writeHead(200, { 'content-type': json })
      const result = {
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        supportedVersions: ['2026-07-28'],
        capabilities: {},
      }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }))
    })
    return true
  }, 'modern')
  const { connection, call } = await openAt(at(url))
  expect([connection.era, await call()]).toEqual(['modern', 'here'])
})

test.each(refusals.filter((_, index) => index % 3 === 0))(
  'the error of initialize is described in words: %s',
  async (_, framed) => {
    const { url } = await serveOddly((request, response) =>
      answerWith(request.method, framed)(request, response),
    )
    const reason = await openAt(at(url)).catch(({ message }: Error) => message)
    expect(reason).toMatch(/^(?:it |its |the )\S+/)
    expect(reason).not.toMatch(/invalid_|Zod|\[\n|Error POSTing|negotiation/)
  },
)

test('a server that now refuses initialize is asked for its era again', async () => {
  const { url } = await serveOddly(
    answerWith('initialize', { status: 405, type: json, body: '' }),
    'modern',
  )
  const { connection } = await openAt(at(url), { era: 'legacy' })
  expect([connection.era, connection.isProbed]).toEqual(['modern', true])
})

test('a probe does not renew a token; the handshake does, and the probe is repeated', async () => {
  let token = 'old'
  const renewed: string[] = []
  const tokens = {
    token: async () => token,
    async renew(refused: string | undefined) {
      renewed.push(String(refused))
      token = 'new'
    },
  }
  const { url, requests } = await serveOddly(({ headers, method }, response) => {
    if (headers.authorization === 'Bearer new' && method !== 'initialize') return false
    response.writeHead(headers.authorization === 'Bearer new' ? 400 : 401).end()
    return true
  }, 'modern')
  const { connection } = await openAt(at(url), { tokens })
  expect(connection.era).toBe('modern')
  expect(renewed).toEqual(['old'])
  expect(requests).toEqual(['server/discover', 'initialize', 'initialize', 'server/discover'])
})

test('a server that wants a sign-in for initialize too gets it', async () => {
  const tokens = {
    token: async () => undefined,
    renew: async () => Promise.reject(new SignInNeeded('no user is signed in')),
  }
  const { url } = await serveOddly((_, response) => response.writeHead(401).end() !== undefined)
  await expect(openAt(at(url), { tokens })).rejects.toThrow('no user is signed in')
})

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
}

test.each([
  ['null for all that is optional', { instructions: null, _meta: null }],
  ['null for a capability', { capabilities: { tools: {}, logging: null, prompts: null } }],
  ['null within a capability', { capabilities: { tools: { listChanged: null } } }],
  ['true for a capability', { capabilities: { tools: true, logging: false } }],
  ['no capabilities', { capabilities: undefined }],
  ['no information', { serverInfo: undefined }],
  [
    'half of the information',
    { serverInfo: { name: 's', version: null, title: null, icons: null } },
  ],
  ['instructions that are no text', { instructions: ['a'] }],
])('a handshake with %s', async (_, members) => {
  const result = { ...initialized, ...members }
  const body = `{"jsonrpc":"2.0","id":$ID,"result":${JSON.stringify(result)}}`
  const { url } = await serveOddly(answerWith('initialize', { type: json, body }))
  const { connection, call } = await openAt(at(url))
  expect(await call()).toBe('here')
  expect(connection.instructions).toBeUndefined()
  expect(Object.values(connection.capabilities)).not.toContain(null)
})

test('a discovery with null for what is optional', async () => {
  const result = {
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, logging: null },
    instructions: null,
    _meta: null,
  }
  const body = `{"jsonrpc":"2.0","id":$ID,"result":${JSON.stringify(result)}}`
  const { url } = await serveOddly(answerWith('server/discover', { type: json, body }), 'modern')
  const { connection } = await openAt(at(url))
  expect([connection.era, connection.capabilities]).toEqual(['modern', { tools: {} }])
})

/** A stdio server: `probe` is what it says to the probe, in JavaScript. */
async function stdioServer(probe: string, initialize = 'result(initialized)') {
  const folder = temporaryFolder(onTestFinished)
  const file = join(folder, 'server.mjs')
  writeFileSync(
    file,
    `import { createInterface } from 'node:readline'
const initialized = ${JSON.stringify(initialized)}
const discovered = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions: ['2026-07-28'], capabilities: {} }
const print = (text) => process.stdout.write(text + '\\n')
const say = (message) => print(JSON.stringify({ jsonrpc: '2.0', ...message }))
let discover
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const result = (result, of = id) => say({ id: of, result })
  if (method === 'server/discover') { discover = id; ${probe} }
  else if (method === 'initialize') { ${initialize} }
  else if (method === 'tools/call') result({ resultType: 'complete', content: [{ type: 'text', text: 'here' }] })
})`,
  )
  return { type: 'stdio', command: process.execPath, args: [file], env: {} } as const
}

test.each([
  ['an error with the id null', "say({ id: null, error: { code: -32700, message: 'no' } })"],
  ['an error without an id', "say({ error: { code: -32700, message: 'no' } })"],
  ['an error', "say({ id, error: { code: -32601, message: 'no' } })"],
  ['an error that is a text', "say({ id, error: 'no' })"],
  ['an empty result', 'result({})'],
  ['the result null', 'result(null)'],
  ['its exit', 'process.exit(1)'],
  ['a page', "print('<!doctype html>')"],
])('over stdio a probe that is answered with %s is followed by initialize', async (_, probe) => {
  const { connection, call } = await openAt(await stdioServer(probe))
  expect([connection.era, connection.isProbed, await call()]).toEqual(['legacy', true, 'here'])
})

slow('over stdio a server that answers the probe late is spoken to as it answers', async () => {
  const late = 'result(discovered, discover)'
  const refusal = "say({ id, error: { code: -32601, message: 'no' } })"
  const opened = [
    '',
    `${late}; result(initialized)`,
    `if (discover) { ${late}; ${refusal} }`,
    late,
  ].map(async (initialize) => {
    const server = await stdioServer('', initialize || 'result(initialized)')
    const { connection, call } = await openAt(server)
    return [connection.era, connection.isProbed, await call()]
  })
  expect(await Promise.all(opened)).toEqual([
    ['legacy', true, 'here'],
    ['legacy', false, 'here'],
    ['modern', false, 'here'],
    ['modern', false, 'here'],
  ])
})
