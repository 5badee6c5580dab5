import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/operations/all-operations.ts'
import { configure, odd, startOverHttp, until } from './aggregator-process.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as they come
type Json = Record<string, any>

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const secret = 'q7Zr1-not-to-be-seen-anywhere'
const own = configure(
  { a: { ...odd(), env: { ODD_TOKEN: secret } }, b: odd(), broken: { command: 'no-such-program' } },
  { profiles: { narrow: { servers: ['b'], description: 'only b' } } },
)
let running: Awaited<ReturnType<typeof startOverHttp>>
let origin = ''
let mine: Session = { cookie: '', proof: '' }

const command = (...words: string[]): string =>
  execFileSync(process.execPath, [main, ...words, ...own.args.slice(1)], { encoding: 'utf8' })

interface Session {
  cookie: string
  proof: string
}

const nobody: Json = { cookie: '', 'x-pith-proof': '' }
const headersOf = ({ cookie, proof }: Session): Json => ({ cookie, 'x-pith-proof': proof })

async function ask(method: string, path: string, body?: Json, headers: Json = {}) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      ...headersOf(mine),
      ...(method !== 'GET' && { origin, 'content-type': 'application/json' }),
      ...headers,
    },
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  })
  const text = await response.text()
  const answer = (text.startsWith('{') ? JSON.parse(text) : {}) as Json
  if (response.status === 200 && path !== '/session') checkAsDescribed(method, path, answer)
  return { status: response.status, answer, headers: response.headers }
}

/** As the description of the API says. */
function checkAsDescribed(method: string, path: string, answer: Json): void {
  const requested = path.split('?', 1)[0] ?? ''
  const described = operations.find(
    (operation) =>
      operation.method === method.toLowerCase() &&
      new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(requested),
  )
  expect(described?.answer?.parse(answer)).toEqual(answer)
}

const codeOf = (link: string): string => new URL(link).hash.slice('#code='.length)

async function signIn(body: Json, headers: Json = {}): Promise<{ status: number } & Session> {
  const signedIn = await ask('POST', '/session', body, { ...nobody, ...headers })
  const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  return { status: signedIn.status, cookie, proof: String(signedIn.answer['proof']) }
}

beforeAll(async () => {
  const home = join(own.folder, 'home')
  mkdirSync(home, { recursive: true })
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }
  running = await startOverHttp(own.args, env)
  origin = new URL(running.url).origin
  mine = await signIn({ code: codeOf(command('console', '--print').trim()) })
})
afterAll(async () => {
  await running.stop()
  own.remove()
})

describe('a session', () => {
  test('is opened by a link, once', async () => {
    const code = codeOf(command('console', '--print').trim())
    const first = await signIn({ code })
    expect(first.status).toBe(200)
    expect(first.proof).toMatch(/^[\w-]{43}$/)
    expect(first.cookie).toMatch(/^pith_console_\d+=[\w-]{43}$/)
    expect((await signIn({ code })).status).toBe(401)
  })

  test('is not opened by a code that somebody made up', async () => {
    const code = codeOf(command('console', '--print').trim())
    const forged = code.replace(/^\w+/, (until) => `${until}0`)
    expect((await signIn({ code: forged })).status).toBe(401)
    expect((await signIn({})).status).toBe(401)
  })

  test('is needed for everything, and says who one is', async () => {
    const { status, answer } = await ask('GET', '/servers', undefined, nobody)
    expect([status, answer['code']]).toEqual([401, 'unauthorized'])
    const { answer: session } = await ask('GET', '/session')
    expect(session).toMatchObject({
      kind: 'session',
      scopes: ['mcp', 'console:read', 'console', 'console:admin'],
      mcpUrl: running.url,
    })
  })

  test('cannot be used for a change from another page, without an origin, or as a form', async () => {
    const from = (headers: Json) => ask('POST', '/servers/b/stop', {}, headers)
    expect((await from({ origin: 'http://evil.example' })).status).toBe(403)
    expect((await from({ origin: 'http://127.0.0.1:1' })).status).toBe(403)
    expect((await from({ 'content-type': 'text/plain' })).status).toBe(415)
    const { answer } = await ask('GET', '/servers/b')
    expect(answer['state']).toBe('idle')
  })

  test('ends when one signs out', async () => {
    const other = headersOf(await signIn({ code: codeOf(command('console', '--print').trim()) }))
    expect((await ask('GET', '/servers', undefined, other)).status).toBe(200)
    expect((await ask('DELETE', '/session', {}, other)).status).toBe(204)
    expect((await ask('GET', '/servers', undefined, other)).status).toBe(401)
  })

  test('is not opened by its cookie, which browsers give to other ports too', async () => {
    const { status } = await ask('GET', '/servers', undefined, { 'x-pith-proof': '' })
    expect(status).toBe(401)
    const tossed = { cookie: `${mine.cookie.split('=')[0]}=x; ${mine.cookie}` }
    expect((await ask('GET', '/servers', undefined, tossed)).status).toBe(200)
  })

  test('is not ended by a sign-in that is none', async () => {
    for (const body of [{ code: 'x' }, { code: 5 }, { nonsense: true }])
      expect((await ask('POST', '/session', body)).status).toBeGreaterThanOrEqual(400)
    expect((await ask('GET', '/servers')).status).toBe(200)
    const broken = await fetch(`${origin}/api/v1/session`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: 'not json',
    })
    expect(broken.status).toBe(400)
  })
})

describe('servers', () => {
  test('are started, stopped and started anew, and say what they wrote', async () => {
    const started = await ask('POST', '/servers/b/start')
    expect(started.answer).toMatchObject({ unit: 'b', state: 'ready', starts: 1 })
    const stopped = await ask('POST', '/servers/b/stop')
    expect(stopped.answer['state']).toBe('halted')
    const refused = await ask('POST', '/tools/call', { server: 'b', name: 'echo' })
    expect(JSON.stringify(refused.answer)).toContain('Start b again in the console.')
    expect((await ask('POST', '/servers/b/restart')).answer['state']).toBe('ready')
    const { answer } = await ask('POST', '/tools/call', { server: 'b', name: 'crash' })
    expect(answer['isError']).toBe(true)
    const { answer: crashed } = await ask('GET', '/servers/b')
    expect(crashed['lastError']).toContain('code 7')
  })

  test('that cannot be started say why, and a checkup says what to do', async () => {
    const { status, answer } = await ask('POST', '/servers/broken/start')
    expect([status, answer['code']]).toEqual([502, 'upstream_down'])
    expect(answer['title']).toContain('the command no-such-program was not found')
    const { answer: checkup } = await ask('POST', '/servers/broken/check')
    expect(checkup['isHealthy']).toBe(false)
    expect(checkup['lines'].join()).toContain('that no-such-program is installed')
  })

  test('are added, switched off and taken out, in the file and at once', async () => {
    const entry = odd()
    expect((await ask('POST', '/servers', { name: 'c', entry })).status).toBe(200)
    const names = async () =>
      (await ask('GET', '/servers')).answer['servers'].map(
        (one: Json) => `${one['unit']} ${one['state']}`,
      )
    await expect.poll(names).toContain('c idle')
    const again = await ask('POST', '/servers', { name: 'c', entry })
    expect([again.status, again.answer['code']]).toEqual([409, 'exists'])
    const wrong = await ask('POST', '/servers', { name: 'd', entry: { nonsense: true } })
    expect(wrong.status).toBe(400)
    expect((await ask('PATCH', '/servers/c', { enabled: false })).status).toBe(204)
    await expect.poll(names).toContain('c disabled')
    expect((await ask('DELETE', '/servers/c')).status).toBe(204)
    await expect.poll(async () => (await names()).join()).not.toContain('c ')
    expect(readFileSync(own.config, 'utf8')).not.toContain('"c"')
  })

  test('there are not are not found', async () => {
    expect((await ask('POST', '/servers/none/start')).status).toBe(404)
    expect((await ask('DELETE', '/servers/none')).status).toBe(404)
    expect((await ask('GET', '/servers/%2e%2e')).status).toBe(404)
    expect((await ask('GET', '/nothing')).status).toBe(404)
    expect((await ask('PATCH', '/tools')).status).toBe(405)
  })
})

describe('tools', () => {
  test('are listed with what they cost, described and called', async () => {
    await ask('POST', '/servers/a/start')
    const { answer } = await ask('GET', '/tools?server=a')
    const echo = answer['tools'].find((tool: Json) => tool['name'] === 'echo')
    expect(echo).toMatchObject({ server: 'a', signature: 'echo()' })
    expect(echo['tokens']).toBeGreaterThan(5)
    const described = await ask('GET', '/tools/definition?server=a&name=echo')
    expect(described.answer['definition']).toEqual({
      name: 'echo',
      inputSchema: { type: 'object' },
    })
    const called = await ask('POST', '/tools/call', {
      server: 'a',
      name: 'echo',
      arguments: { text: '<script>alert(1)</script>' },
    })
    expect(called.answer).toMatchObject({
      isError: false,
      result: { content: [{ type: 'text', text: '<script>alert(1)</script>' }] },
    })
  })

  test('are searched as a model searches them, and seen as a profile shows them', async () => {
    const { answer } = await ask('POST', '/tools/search', { query: 'echo' })
    expect(answer['text']).toContain('echo')
    const { answer: narrow } = await ask('GET', '/tools?profile=narrow')
    expect(new Set(narrow['tools'].map((tool: Json) => tool['server']))).toEqual(new Set(['b']))
    const { answer: all } = await ask('GET', '/profiles')
    expect(all['profiles'][1]).toMatchObject({
      name: 'narrow',
      servers: ['b'],
      path: '/mcp/narrow',
    })
  })

  test('give no secret away, whatever they answer', async () => {
    const { answer } = await ask('POST', '/tools/call', { server: 'a', name: 'token' })
    expect(JSON.stringify(answer)).toContain('the token is')
    expect(JSON.stringify(answer)).not.toContain(secret)
  })
})

describe('the journal', () => {
  test('is searched, counted, and has what the console did', async () => {
    await ask('POST', '/tools/call', { server: 'a', name: 'echo', arguments: {} })
    const { answer } = await ask('GET', '/journal?server=a&tool=echo&limit=1')
    expect(answer['lines']).toHaveLength(1)
    expect(answer['lines'][0]).toMatchObject({ module: 'a', tool: 'echo', session: 'console' })
    const older = await ask('GET', `/journal?limit=2&before=${encodeURIComponent(answer['next'])}`)
    expect(older.answer['lines'][0].time <= answer['lines'][0].time).toBe(true)
    const { answer: none } = await ask('GET', '/journal?text=no-such-thing')
    expect(none['lines']).toEqual([])
    expect((await ask('GET', '/journal?before=nonsense')).status).toBe(400)
    const { answer: usage } = await ask('GET', '/usage?by=tool')
    const echo = usage['groups'].find((group: Json) => group['name'] === 'a.echo')
    expect(echo['usage'].calls).toBeGreaterThan(0)
    const { answer: series } = await ask('GET', '/usage/series?by=server&since=60m&interval=minute')
    expect(series['times']).toHaveLength(60)
    expect((await ask('GET', '/usage?since=later')).status).toBe(400)
  })

  test('counts what sessions cost, for who may change what is started', async () => {
    const { status, answer } = await ask('GET', '/meter?since=30d')
    expect(status).toBe(200)
    expect(answer['places'].map(({ client }: Json) => client)).toContain('claude-code')
    expect(answer['bySession']).toBeUndefined()
    expect((await ask('GET', '/meter?since=spring')).status).toBe(400)
  })

  test('has whom the door refused', async () => {
    await ask('GET', '/servers', undefined, { ...nobody, authorization: 'Bearer wrong' })
    await expect
      .poll(async () => (await ask('GET', '/journal?outcome=rejected')).answer['lines'].length)
      .toBeGreaterThan(0)
  })
})

test('what happens is heard as it happens', async () => {
  const stopping = new AbortController()
  const response = await fetch(`${origin}/api/v1/events`, {
    headers: headersOf(mine) as Record<string, string>,
    signal: stopping.signal,
  })
  let heard = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) heard += decoder.decode(chunk as Uint8Array)
  })().catch(() => {})
  await until(() => heard.includes('event: hello'))
  await ask('POST', '/tools/call', { server: 'a', name: 'hash' })
  await until(() => /event: lines\ndata: .*"tool":"hash"/.test(heard))
  await ask('POST', '/servers/a/restart')
  await until(() => /event: servers\ndata: .*"unit":"a"/.test(heard))
  stopping.abort()
})

test('one who watches too often leaves room for others', async () => {
  const stopping = new AbortController()
  const watch = (): Promise<Response> => {
    const headers = headersOf(mine) as Record<string, string>
    const { signal } = stopping
    return fetch(`${origin}/api/v1/events`, { headers, signal })
  }
  // A response that is garbage-collected ends its stream, so all of them are referenced.
  const many = await Promise.all(Array.from({ length: 201 }, watch))
  expect(many.filter(({ status }) => status === 429)).toHaveLength(1)
  stopping.abort()
  const again = async () => (await ask('GET', '/session')).status
  expect(await again()).toBe(200)
})

describe('access', () => {
  const accessOf = async (query: string) => (await ask('GET', `/access${query}`)).answer

  test('of a profile has what it can call, and the reason for each tool that it cannot', async () => {
    for (const server of ['a', 'b']) await ask('POST', `/servers/${server}/start`)
    await ask('POST', '/tokens', { name: 'narrowed', profile: 'narrow' })
    const all = await accessOf('')
    const narrow = await accessOf('?caller=token:narrowed')
    expect(narrow['profile']).toBe('narrow')
    expect(await accessOf('?profile=narrow')).toEqual(narrow)
    const names = ({ tools }: Json): string[] =>
      tools.map((tool: Json) => `${tool['server']}.${tool['name']}`)
    expect(names(narrow)).toEqual(names(all).filter((name) => name.startsWith('b.')))
    expect(names(narrow).length).toBeGreaterThan(0)
    // Each tool is in one of the lists.
    expect([...names(narrow), ...names({ tools: narrow['missing'] })].sort()).toEqual(
      [...names(all), ...names({ tools: all['missing'] })].sort(),
    )
    const reasons = new Set(narrow['missing'].map((tool: Json) => tool['reason']))
    expect([...reasons].join()).toMatch(/profiles\.narrow\.servers: its server matches no pattern/)
    expect((await ask('GET', '/access?caller=nobody')).status).toBe(404)
    expect((await ask('GET', '/access?caller=a&profile=narrow')).status).toBe(400)
  })

  test.each([
    ['deny', ['b.echo'], 'echo', 'it matches a pattern of this list'],
    ['allow', ['b.echo'], 'hash', 'it matches no pattern of this list'],
    ['readOnly', true, 'echo', 'it is not marked as read-only'],
  ])('names the setting %s that excludes a tool', async (key, value, tool, reason) => {
    const path = ['aggregator', 'profiles', key]
    await ask('POST', '/config/edit', { edits: [{ path, value: { [key]: value } }] })
    await expect.poll(async () => (await ask('GET', `/access?profile=${key}`)).status).toBe(200)
    const { missing } = await accessOf(`?profile=${key}`)
    expect(missing).toContainEqual({
      server: 'b',
      name: tool,
      reason: `aggregator.profiles.${key}.${key}: ${reason}`,
    })
    expect((await ask('POST', '/config/undo')).status).toBe(200)
  })
})

describe('tokens', () => {
  test('for reading let one look, and change nothing', async () => {
    const token = command('token', 'create', 'viewer', '--scope', 'console:read').trim()
    const bearer = { ...nobody, authorization: `Bearer ${token}` }
    await expect
      .poll(async () => (await ask('GET', '/servers', undefined, bearer)).status)
      .toBe(200)
    expect((await ask('POST', '/servers/a/stop', {}, bearer)).status).toBe(403)
    const reading = headersOf(await signIn({}, { authorization: `Bearer ${token}` }))
    expect((await ask('GET', '/servers', undefined, reading)).status).toBe(200)
    expect((await ask('POST', '/servers/a/stop', {}, reading)).status).toBe(403)
    const { answer } = await ask('GET', '/tokens')
    const viewer = answer['tokens'].find((stored: Json) => stored['name'] === 'viewer')
    expect(viewer).toMatchObject({ name: 'viewer', scopes: ['console:read'], state: 'valid' })
    expect(JSON.stringify(answer)).not.toContain(token)
    expect((await ask('DELETE', `/tokens/${viewer.id}`)).status).toBe(204)
    await expect
      .poll(async () => (await ask('GET', '/servers', undefined, reading)).status)
      .toBe(401)
  })

  test('are named once, end within ten years, and are of one profile or of the console', async () => {
    expect((await ask('POST', '/tokens', { name: 'twice' })).status).toBe(200)
    expect((await ask('POST', '/tokens', { name: 'twice' })).status).toBe(409)
    expect((await ask('POST', '/tokens', { name: 'long', expires: '9999d' })).status).toBe(400)
    const both = { name: 'both', profile: 'narrow', scopes: ['mcp', 'console'] }
    expect((await ask('POST', '/tokens', both)).status).toBe(400)
    expect(() => command('token', 'create', 'both', '-p', 'narrow', '--scope', 'console')).toThrow()
  })

  test('of the console change neither what is started nor who may enter', async () => {
    const create = (...scope: string[]): string => command('token', 'create', ...scope).trim()
    const bearer = (token: string) => ({ ...nobody, authorization: `Bearer ${token}` })
    const changer = bearer(create('changer', '--scope', 'console'))
    const admin = bearer(create('admin', '--scope', 'console:admin'))
    const entry = { name: 'started', entry: { command: 'true' } }
    const edit = (...path: string[]) => ({ edits: [{ path, value: 'x' }] })
    const acts: [string, string, Json?][] = [
      ['POST', '/servers', entry],
      ['DELETE', '/servers/b'],
      ['POST', '/tokens', { name: 'more', scopes: ['console:admin'] }],
      ['DELETE', '/tokens/changer'],
      ['POST', '/config/edit', edit('mcpServers', 'b', 'command')],
      ['POST', '/config/edit', edit('mcpServers', 'b', 'env', 'X')],
      ['POST', '/config/edit', edit('aggregator', 'callers', 'me')],
    ]
    await expect
      .poll(async () => (await ask('GET', '/servers', undefined, changer)).status)
      .toBe(200)
    const before = readFileSync(own.config, 'utf8')
    for (const [method, path, body] of acts) {
      const { status, answer } = await ask(method, path, body, changer)
      expect([path, status, answer['code']]).toEqual([path, 403, 'scope'])
    }
    expect(readFileSync(own.config, 'utf8')).toBe(before)
    const open = edit('mcpServers', 'b', 'description')
    expect((await ask('POST', '/config/edit', open, changer)).status).toBe(200)
    expect((await ask('POST', '/servers/b/stop', {}, changer)).status).toBe(200)
    expect((await ask('POST', '/servers/b/start', {}, changer)).status).toBe(200)
    expect((await ask('POST', '/servers', entry, admin)).status).toBe(200)
    // What an administrator did is not undone by others.
    expect((await ask('POST', '/config/undo', {}, changer)).status).toBe(403)
    expect((await ask('POST', '/config/undo', {}, admin)).status).toBe(200)
    expect(readFileSync(own.config, 'utf8')).not.toContain('started')
  })

  test('for clients open no console', async () => {
    const { answer, status } = await ask('POST', '/tokens', { name: 'client', expires: '1d' })
    expect(status).toBe(200)
    const headers = { authorization: `Bearer ${answer['token']}` }
    await expect.poll(async () => (await signIn({}, headers)).status).toBe(403)
    const wrong = await ask('POST', '/tokens', { name: 'x', profile: 'none' })
    expect(wrong.status).toBe(404)
  })
})

test('what is not understood is said, not left out', async () => {
  const slip = await ask('PATCH', '/servers/b', { enabeld: true })
  expect([slip.status, slip.answer['title']]).toEqual([400, expect.stringContaining('enabeld')])
  expect((await ask('GET', '/journal?untill=1d')).status).toBe(400)
  expect((await ask('GET', '/usage?since=1h&since=2h')).status).toBe(400)
  expect((await ask('GET', '/journal?before=2026-99-99Tx')).status).toBe(400)
})

test('servers that are added at once are all added', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `many${index}`)
  const answers = await Promise.all(
    names.map((name) => ask('POST', '/servers', { name, entry: { command: 'true' } })),
  )
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
  for (const name of names) expect(readFileSync(own.config, 'utf8')).toContain(`"${name}"`)
  await Promise.all(names.map((name) => ask('DELETE', `/servers/${name}`)))
  expect(readFileSync(own.config, 'utf8')).not.toContain('"many')
})

test('the pages say what they may load, and are not found outside their folder', async () => {
  const page = { headers: { accept: 'text/html' } }
  const response = await fetch(`${origin}/servers/a`, page)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(response.headers.get('content-type')).toContain('text/html')
  expect(
    (await fetch(`${origin}/assets/../../package.json`, page)).headers.get('content-type'),
  ).toContain('html')
  expect((await fetch(`${origin}/servers/a`)).status).toBe(404)
  expect((await fetch(`${origin}/assets/none.js`, page)).status).toBe(404)
  expect((await fetch(`${origin}/..%2f..%2fpackage.json`, page)).status).toBe(404)
})

test('whoever has the link file is its owner alone', () => {
  const folder = join(own.folder, 'state', 'running')
  const listed = execFileSync('ls', ['-l', folder], { encoding: 'utf8' })
  expect(listed).toMatch(/-rw-------.*\.console/)
})
