import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createFileJournalReader } from '@pith-mcp/aggregator'
import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startIssuer, unsigned } from '../../../../packages/server-kit/test/issuer.ts'
import { asText, sendRaw } from '../../../../packages/server-kit/test/raw.ts'
import { configure, odd, startOverHttp, until } from './aggregator-process.ts'

const audience = 'https://pith.example/mcp'
const issuer = await startIssuer(audience)
const { args, config, folder, remove } = configure(
  { mail: odd(), wiki: odd() },
  {
    profiles: { docs: { servers: ['wiki'] }, all: {} },
    callers: { ci: { token: 'token-of-ci', profile: 'docs' } },
    oauth: { issuer: issuer.issuer, audience, profileClaim: 'team' },
  },
)
const state = join(folder, 'state')
let server: Awaited<ReturnType<typeof startOverHttp>>
let port: number
const environment = { ...process.env, AGGREGATOR_MCP_TOKEN: 'token-of-owner' }

beforeAll(async () => {
  server = await startOverHttp(args, environment)
  port = Number(new URL(server.url).port)
})
afterAll(async () => {
  await server.stop()
  await issuer.close()
  remove()
})

const run = promisify(execFile)
const token = async (...words: string[]) => {
  const [main = ''] = args
  const more = ['--config', config, '--state', state]
  return (await run(process.execPath, [main, 'token', ...words, ...more])).stdout.trim()
}
/** Until running processes have looked at the file again. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 1_200))

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const modern = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'call',
}

/** Calls a tool as a client of 2026 would. */
function call(
  bearer: string | undefined,
  tool: string,
  params: object,
  { path = '', more = {} } = {},
) {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'call', arguments: { module: 'wiki', tool_name: tool, params }, _meta: meta },
  }
  const authorization: Record<string, string> = bearer ? { authorization: `Bearer ${bearer}` } : {}
  return fetch(server.url + path, {
    method: 'POST',
    headers: { ...headers, ...modern, ...authorization, ...more },
    body: JSON.stringify(body),
  })
}

const echo = (bearer: string | undefined, path = '', more = {}) =>
  call(bearer, 'echo', { text: 'hello' }, { path, more })

async function refusals(folder = state): Promise<string[]> {
  const said: string[] = []
  for await (const line of createFileJournalReader(join(folder, 'journal')).read())
    if (line.outcome === 'rejected') said.push(line.message ?? '')
  return said
}

/** What the journal gets of what is done meanwhile: its line may follow the reply. */
async function refusedBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = (await refusals()).length
  await work()
  await expect.poll(async () => (await refusals()).length).toBeGreaterThan(before)
  return (await refusals()).slice(before)
}

test.each(['OPTIONS', 'PUT', 'PATCH'])(
  'the method %s is refused with those that work',
  async (method) => {
    const response = await fetch(server.url, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, POST, DELETE')
  },
)

describe('a stored token', () => {
  test('lets in within a second, with its profile only, and is in the journal by its name', async () => {
    const bearer = await token('create', 'team', '--profile', 'docs', '--expires', '1d')
    await aMoment()
    expect(await (await echo(bearer)).text()).toContain('hello')
    expect((await echo(bearer, '/docs')).status).toBe(200)
    const said = await refusedBy(async () => {
      expect((await echo(bearer, '/all')).status).toBe(404)
    })
    const who = /^token:team#[0-9a-f]{8}$/
    expect(said).toEqual([expect.stringMatching(/\(token:team#[0-9a-f]{8}\) answered 404$/)])
    const lines: unknown[] = []
    for await (const line of createFileJournalReader(join(state, 'journal')).read())
      if (line.kind === 'call') lines.push(line)
    expect(lines).toMatchObject([
      { caller: expect.stringMatching(who), profile: 'docs', tool: 'echo' },
      { caller: expect.stringMatching(who), profile: 'docs', tool: 'echo' },
    ])
  })

  test('that is revoked is refused within a second, and that of another stays', async () => {
    const [gone, stays] = [await token('create', 'gone'), await token('create', 'stays')]
    await aMoment()
    expect((await echo(gone)).status).toBe(200)
    await token('revoke', 'gone')
    await aMoment()
    const said = await refusedBy(async () => {
      const response = await echo(gone)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
    })
    expect(said).toEqual(['revoked_token: POST /mcp from 127.0.0.1 (token gone) answered 401'])
    expect((await echo(stays)).status).toBe(200)
  })

  test('that is over is refused', async () => {
    const bearer = await token('create', 'short', '--expires', '1d')
    const path = join(state, 'tokens.json')
    const kept = JSON.parse(readFileSync(path, 'utf8')) as {
      tokens: { name: string; expiresAt: string }[]
    }
    for (const one of kept.tokens)
      if (one.name === 'short') one.expiresAt = new Date(Date.now() - 1_000).toISOString()
    writeFileSync(path, JSON.stringify(kept))
    await aMoment()
    const said = await refusedBy(async () => expect((await echo(bearer)).status).toBe(401))
    expect(said).toEqual(['expired_token: POST /mcp from 127.0.0.1 (token short) answered 401'])
  })

  test.each([
    [['create', 'x', '--profile', 'nope'], 'There is no profile nope in '],
    [['create', 'x', '--expires', 'soon'], 'such as 90d'],
    [['create', 'x', '--expires', '2001-01-01'], 'in the future'],
    [['create', 'x', '--scope', 'all'], 'must be one of mcp, console:read, console'],
    [['create'], 'Name the token'],
    [['revoke', 'nobody'], 'There is no token "nobody"'],
    [['drop', 'x'], 'must be one of create, list, rotate, revoke'],
  ])('is not to be had by token %j', async (words, said) => {
    await expect(token(...words)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(said),
    })
  })

  test('is listed without what lets in, in a file only its owner reads', async () => {
    const bearer = await token('create', 'listed', '--scope', 'console:read', '--scope', 'mcp')
    const listed = await token('list')
    expect(listed).toMatch(/^[0-9a-f]{8} listed: console:read mcp$/m)
    expect(readFileSync(join(state, 'tokens.json'), 'utf8')).not.toContain(bearer.slice(5))
    expect(statSync(join(state, 'tokens.json')).mode & 0o777).toBe(0o600)
  })

  test('is not lost where several are made at the same time', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `many${at}`)
    await Promise.all(names.map((name) => token('create', name)))
    const listed = JSON.parse(await token('list', '--json')) as { name: string }[]
    expect(names.filter((name) => !listed.some((one) => one.name === name))).toEqual([])
  })
})

describe('an access token', () => {
  const seconds = (): number => Math.floor(Date.now() / 1000)
  const sign = (claims = {}, more = {}) =>
    issuer.sign({ claims: { team: 'docs', ...claims }, ...more })

  test('lets in, with the profile of its claim only', async () => {
    expect(await (await echo(await sign())).text()).toContain('hello')
    expect((await echo(await sign(), '/all')).status).toBe(404)
    expect((await echo(await sign({ team: 'nope' }))).status).toBe(404)
  })

  const cases: [string, () => Promise<string>, number, string][] = [
    ['of another issuer', () => sign({ iss: 'https://evil.example' }), 401, 'jwt_iss'],
    ['for another audience', () => sign({ aud: 'https://other.example' }), 401, 'jwt_aud'],
    ['that is over', () => sign({ exp: seconds() - 60 }), 401, 'jwt_expired'],
    ['that is not valid yet', () => sign({ nbf: seconds() + 120 }), 401, 'jwt_nbf'],
    ['without a signature', async () => unsigned(await sign()), 401, 'jwt_algorithm'],
    [
      'signed with the public key as a secret',
      () => sign({}, { header: { alg: 'HS256' }, key: new TextEncoder().encode(issuer.publicKey) }),
      401,
      'jwt_algorithm',
    ],
    [
      'signed with another key',
      async () => sign({}, { key: (await generateKeyPair('RS256')).privateKey }),
      401,
      'jwt_signature',
    ],
    ['signed with a key nobody knows', () => sign({}, { header: { kid: 'x' } }), 401, 'jwt_key'],
    ['without the scope', () => sign({ scope: 'openid' }), 403, 'scope'],
    ['that names no profile', () => sign({ team: undefined }), 401, 'jwt_profile'],
  ]
  test.each(cases)('%s is refused', async (_what, make, status, reason) => {
    const bearer = await make()
    const said = await refusedBy(async () => {
      const response = await echo(bearer)
      expect(response.status).toBe(status)
      expect(response.headers.get('www-authenticate')).toContain(
        'resource_metadata="https://pith.example/.well-known/oauth-protected-resource/mcp"',
      )
    })
    expect(said).toEqual([
      expect.stringMatching(`^${reason}: POST /mcp from 127.0.0.1 .*${status}$`),
    ])
  })

  test('says where to sign in, for a profile too', async () => {
    const at = (path: string) =>
      fetch(new URL(`/.well-known/oauth-protected-resource${path}`, server.url))
    expect(await (await at('/mcp/docs')).json()).toMatchObject({
      resource: `${audience}/docs`,
      authorization_servers: [issuer.issuer],
    })
    expect((await at('')).status).toBe(200)
  })

  test('cannot be checked while the keys of its issuer are not to be had', async () => {
    const other = await startIssuer(audience)
    other.goDown(true)
    const own = configure({ wiki: odd() }, { oauth: { issuer: other.issuer, audience } })
    const started = await startOverHttp(own.args)
    const response = await fetch(started.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${await other.sign()}` },
    })
    expect(response.status).toBe(503)
    expect(started.stderr()).toContain('cannot be fetched')
    await expect
      .poll(() => refusals(join(own.folder, 'state')))
      .toEqual(['keys_unreachable: POST /mcp from 127.0.0.1 answered 503'])
    await started.stop()
    await other.close()
    own.remove()
  })
})

describe('whoever asks otherwise is refused, and written down', () => {
  const owner = { authorization: 'Bearer token-of-owner' }
  const cases: [string, string, number, string][] = [
    ['without a token', asText('POST /mcp'), 401, 'no_credential: POST /mcp'],
    [
      'with a wrong one',
      asText('POST /mcp', { authorization: 'Bearer x' }),
      401,
      'unknown_token: POST /mcp',
    ],
    [
      'from a page elsewhere',
      asText('POST /mcp', { ...owner, origin: 'https://evil.example' }),
      403,
      'origin: POST /mcp',
    ],
    [
      'by a name that is not ours',
      asText('POST /mcp', { ...owner, host: 'evil.example' }),
      403,
      'host: POST /mcp',
    ],
    ['by no name', 'POST /mcp HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'host: POST /mcp'],
    ['out of the path', asText('GET /mcp/../../etc/passwd', owner), 404, 'odd_path: GET'],
    [
      'with a header that is none',
      asText('GET /mcp', { 'x\r\ninjected ': 'y' }),
      400,
      'malformed:',
    ],
    [
      'with a chunked body, almost',
      asText('POST /mcp', { ...owner, 'transfer-encoding': 'chunked, identity' }, '0\r\n\r\n'),
      400,
      'malformed:',
    ],
    ['elsewhere', asText('GET /admin?token=secret', owner), 404, 'no_route: GET /admin from'],
  ]
  test.each(cases)('%s', async (_what, text, status, reason) => {
    const said = await refusedBy(async () => {
      expect((await sendRaw(port, text)).status).toBe(status)
    })
    expect(said).toEqual([expect.stringMatching(`^${reason.replace(/[?/.]/g, '\\$&')}`)])
    expect(said.join()).not.toMatch(/secret|token-of|[\r\n]/)
  })

  // It waits for the 20 s that are the default; packages/server-kit proves it with less.
  test.runIf(process.env['LONG'] === '1')(
    'a head that never ends',
    async () => {
      const parts = ['POST /mcp HTTP/1.1\r\n', ...Array.from({ length: 200 }, () => 'x: y\r\n')]
      const said = await refusedBy(async () => {
        const { status } = await sendRaw(port, parts, { pauseMs: 200, maxAgeMs: 35_000 })
        expect(status).toBe(408)
      })
      expect(said).toEqual([expect.stringMatching(/^slow_request:/)])
    },
    45_000,
  )

  test('a body that is too long', async () => {
    const length = String(17 * 1024 * 1024)
    const text = asText('POST /mcp', { ...owner, ...headers, 'content-length': length }, '{')
    const said = await refusedBy(async () => {
      expect((await sendRaw(port, text)).status).toBe(413)
    })
    expect(said).toEqual([expect.stringMatching(/^long_body: POST \/mcp/)])
  })

  test('a thousand times, in a few lines', async () => {
    const said = await refusedBy(async () => {
      for (let n = 0; n < 20; n++)
        await Promise.all(Array.from({ length: 50 }, () => fetch(new URL('/nothing', server.url))))
    })
    // Five of each minute and one that counts the rest; the minute of before may end meanwhile.
    const minutes = 2 + said.filter((line) => line.includes('more like it')).length
    expect(said.length).toBeLessThanOrEqual(6 * minutes)
  })
})

test('it says that it is up and serves', async () => {
  for (const [path, status] of [
    ['/healthz', 'ok'],
    ['/readyz', 'ok'],
  ] as const)
    expect(await (await fetch(new URL(path, server.url))).json()).toEqual({ status })
})

describe('a server that is told to stop', () => {
  test('answers what it was asked, ends what is listened to, and takes no more', async () => {
    const own = configure({ wiki: odd() })
    const child = spawn(process.execPath, [...own.args, '--http', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await until(() => said.includes('serving '))
    const url = /serving (\S+)/.exec(said)?.[1] ?? ''
    const post = (method: string, params: object, more: Record<string, string> = {}) =>
      fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...more,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
      })
    const slowly = (ms: number) => ({
      name: 'call',
      arguments: { module: 'wiki', tool_name: 'slow', params: { text: 'late', ms } },
    })
    const name = { 'mcp-name': 'call' }
    await (await post('tools/call', slowly(1), name)).text()
    const listening = await post('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    })
    expect(listening.status).toBe(200)
    const heard = listening.text().catch(() => 'cut')
    const answer = post('tools/call', slowly(1_500), name)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 300))
    await expect(fetch(new URL('/healthz', url))).rejects.toThrow()
    expect(await (await answer).text()).toContain('late')
    expect((await exited)[0]).toBe(0)
    await heard
    own.remove()
  })
})
