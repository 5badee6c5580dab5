import { describe, expect, test, vi } from 'vitest'
import { createMemoryTokenStore } from '../../../../oauth/src/token-store.ts'
import { aggregatorOf, eventually, httpServer, signInsIn } from './aggregated.ts'
import { open } from './open-world.ts'
import { asksAtCalls } from './resource-server.ts'

const eras = ['legacy', 'modern'] as const

describe.each(eras)('a server that asks who is there: %s', (era) => {
  const openEra = (more: object = {}) =>
    open({ servers: { notes: { eras: [era], ...more }, mail: {} } })

  test('is told so by its caller, who can sign in by a command', async () => {
    const world = await openEra()
    const notes = httpServer('notes', world.servers.notes.url)
    const { signIns, tabs } = signInsIn(world)
    const { whoami, statusOf, call, aggregator } = aggregatorOf([notes], { signIns })
    expect(await whoami('notes')).toBe(
      'The server notes needs a sign-in: no user is signed in. Sign in to notes. Then call again.',
    )
    const remedies = { signIn: (server: string) => `Run "sign-in ${server}".` }
    const named = aggregatorOf([notes], { signIns: signInsIn(world, { remedies }).signIns })
    expect(await named.whoami('notes')).toContain('Run "sign-in notes". Then call again.')
    expect(statusOf('notes')).toMatchObject({ state: 'down', needsSignIn: true, failures: 0 })
    expect(statusOf('notes')?.lastError).toContain('no user is signed in')
    expect([tabs, world.count('register')]).toEqual([[], 0])
    for (let time = 0; time < 8; time++) expect(await whoami('notes')).toContain('needs a sign-in')

    await signIns.signIn(notes)
    expect(statusOf('notes')).toMatchObject({ needsSignIn: false })
    expect(await whoami('notes')).toBe('alice')
    expect(await call('notes', 'echo', { params: { text: 'x' } })).toBe('x')
    expect(aggregator.gateway.fleet.status()[0]?.era).toBe(era)
    expect(tabs).toHaveLength(1)
  })

  test('opens one tab for 20 first calls, none of which waits for the user', async () => {
    const world = await openEra()
    const opened: string[] = []
    const openBrowser = (url: string) => void opened.push(url)
    const { signIns } = signInsIn(world, { interactive: true, openBrowser })
    const { whoami, statusOf } = aggregatorOf([httpServer('notes', world.servers.notes.url)], {
      signIns,
    })
    const said = await Promise.all(Array.from({ length: 20 }, () => whoami('notes')))
    expect(opened).toHaveLength(1)
    expect(new Set(said)).toEqual(
      new Set([
        `The server notes needs a sign-in: no user is signed in. Sign in at ${opened[0]} in a browser. Then call again.`,
      ]),
    )
    expect(world.count('register')).toBe(1)
    const { body } = await world.openInBrowser(String(opened[0]))
    expect(body).toContain('You are signed in.')
    await eventually(() => expect(statusOf('notes')?.needsSignIn).toBe(false))
    expect(await whoami('notes')).toBe('alice')
    expect(opened).toHaveLength(1)
  })

  test('opens one tab for 20 calls that find out late', async () => {
    const world = await openEra({ needsToken: asksAtCalls })
    const opened: string[] = []
    const openBrowser = (url: string) => void opened.push(url)
    const { signIns } = signInsIn(world, { interactive: true, openBrowser })
    const { whoami, statusOf } = aggregatorOf([httpServer('notes', world.servers.notes.url)], {
      signIns,
    })
    const said = await Promise.all(Array.from({ length: 20 }, () => whoami('notes')))
    expect(said.every((text) => text.includes(`Sign in at ${opened[0]}`))).toBe(true)
    expect(statusOf('notes')).toMatchObject({ state: 'ready', needsSignIn: true })
    expect(opened).toHaveLength(1)
    await world.openInBrowser(String(opened[0]))
    await eventually(async () => expect(await whoami('notes')).toBe('alice'))
    expect(statusOf('notes')).toMatchObject({ needsSignIn: false })
  })

  test.each([5, 50])('renews once for %i calls', async (calls) => {
    const world = await openEra()
    const notes = httpServer('notes', world.servers.notes.url)
    const store = createMemoryTokenStore()
    const change = vi.spyOn(store, 'change')
    const { signIns, tabs } = signInsIn(world, { store })
    await signIns.signIn(notes)
    const { whoami } = aggregatorOf([notes], { signIns })
    expect(await whoami('notes')).toBe('alice')
    world.authorization.settings.tokenDelayMs = 50
    change.mockClear()
    world.authorization.expireAccessTokens()
    const users = await Promise.all(Array.from({ length: calls }, () => whoami('notes')))
    expect(new Set(users)).toEqual(new Set(['alice']))
    expect([world.refreshes(), tabs.length]).toEqual([1, 1])
    // Nor do they wait for the lock one after the other.
    expect(change).toHaveBeenCalledTimes(1)
  })

  test('asks for what is missing beside what was granted', async () => {
    const world = await openEra()
    const notes = httpServer('notes', world.servers.notes.url)
    const { signIns, tabs } = signInsIn(world)
    await signIns.signIn(notes)
    const { call, statusOf } = aggregatorOf([notes], { signIns })
    const publish = () => call('notes', 'publish', { params: { text: 'x' } })
    expect(await publish()).toBe(
      'The server notes needs a sign-in: the granted scope is not sufficient; it requires the scope publish. Sign in to notes. Then call again.',
    )
    expect(statusOf('notes')?.needsSignIn).toBe(true)
    await signIns.signIn(notes)
    expect(tabs.map((url) => new URL(url).searchParams.get('scope'))).toEqual([
      'mcp',
      'mcp publish',
    ])
    expect(await publish()).toBe('x')
    expect(world.count('register')).toBe(1)
  })
})

test('a token that is known to have ended is renewed before it is sent', async () => {
  const world = await open({ authorization: { accessTokenMs: 2_000 } })
  const notes = httpServer('notes', world.servers.notes.url)
  const { signIns } = signInsIn(world)
  await signIns.signIn(notes)
  world.authorization.settings.accessTokenMs = 3_600_000
  const { whoami } = aggregatorOf([notes], { signIns })
  expect(await whoami('notes')).toBe('alice')
  expect(world.refreshes()).toBe(1)
})

const calls = process.env['LONG'] ? 1_000 : 200

test(`accounts never cross over ${calls} calls at once, through refreshes`, async () => {
  const world = await open()
  const { url } = world.servers.notes
  const account = (name: string) => httpServer('notes', url, { account: name })
  const accounts = [account('alice'), account('bob')]
  const notes = httpServer('notes', url, { accounts })
  const { store } = signInsIn(world)
  for (const one of accounts)
    await signInsIn(world, { store, user: String(one.account) }).signIns.signIn(one)
  const { whoami } = aggregatorOf([notes], { signIns: signInsIn(world, { store }).signIns })
  const expected = Array.from({ length: calls }, (_, index) => (index % 3 === 0 ? 'bob' : 'alice'))
  let answered = 0
  const users = await Promise.all(
    expected.map(async (name) => {
      const user = await whoami('notes', name)
      if (++answered === calls / 4) world.authorization.expireAccessTokens()
      return user
    }),
  )
  const crossed = users.filter((user, index) => user !== expected[index])
  expect(crossed.slice(0, 3)).toEqual([])
  expect(world.count('authorize')).toBe(2)
  expect(world.refreshes()).toBe(2)
}, 60_000)

test('an account that is not signed in is named', async () => {
  const world = await open()
  const { url } = world.servers.notes
  const accounts = ['alice', 'bob'].map((name) => httpServer('notes', url, { account: name }))
  const { signIns } = signInsIn(world)
  await signIns.signIn(accounts[0] as never)
  const { whoami } = aggregatorOf([httpServer('notes', url, { accounts })], { signIns })
  expect(await whoami('notes', 'alice')).toBe('alice')
  expect(await whoami('notes', 'bob')).toBe(
    'The server notes, account bob, needs a sign-in: no user is signed in. Sign in to notes@bob. Then call again.',
  )
})

describe('a sign-in that has ended', () => {
  test('is needed anew, and nothing opens by itself', async () => {
    const world = await open()
    const notes = httpServer('notes', world.servers.notes.url)
    const { signIns, tabs } = signInsIn(world)
    await signIns.signIn(notes)
    const { whoami, statusOf } = aggregatorOf([notes], { signIns })
    expect(await whoami('notes')).toBe('alice')
    world.authorization.revokeUser('alice')
    const said = await Promise.all([whoami('notes'), whoami('notes'), whoami('notes')])
    for (const text of said) expect(text).toMatch(/needs a sign-in: .*Sign in to notes\./)
    expect([world.refreshes(), tabs.length, world.count('register')]).toEqual([1, 1, 1])
    expect(statusOf('notes')).toMatchObject({ needsSignIn: true, failures: 0 })
    await signIns.signIn(notes)
    expect(await whoami('notes')).toBe('alice')
    expect(world.count('register')).toBe(1)
  })

  test('without refresh tokens is needed anew when the token ends', async () => {
    const world = await open({ authorization: { refreshTokens: 'none' } })
    const notes = httpServer('notes', world.servers.notes.url)
    const { signIns } = signInsIn(world)
    await signIns.signIn(notes)
    const { whoami } = aggregatorOf([notes], { signIns })
    expect(await whoami('notes')).toBe('alice')
    world.authorization.expireAccessTokens()
    expect(await whoami('notes')).toContain('needs a sign-in: the sign-in has expired')
  })

  test('in another process is no more needed here', async () => {
    const world = await open()
    const notes = httpServer('notes', world.servers.notes.url)
    const { signIns, store } = signInsIn(world)
    const { whoami, statusOf } = aggregatorOf([notes], { signIns })
    expect(await whoami('notes')).toContain('needs a sign-in')
    await signInsIn(world, { store }).signIns.signIn(notes)
    await eventually(() => expect(statusOf('notes')?.needsSignIn).toBe(false))
    // What it offers was asked for.
    await eventually(() => expect(statusOf('notes')?.state).toBe('ready'))
    expect(await whoami('notes')).toBe('alice')
  })
})

describe('an authorization server in trouble', () => {
  test.each([
    'hang',
    'error',
    'missing',
    'no JSON',
    'empty object',
    'endless',
    'redirect elsewhere',
  ] as const)('at a refresh: %s', async (fault) => {
    const world = await open()
    const notes = httpServer('notes', world.servers.notes.url)
    const { signIns: patient, store } = signInsIn(world)
    await patient.signIn(notes)
    const isSilent = ['hang', 'endless'].includes(fault)
    const { signIns, tabs } = signInsIn(world, {
      store,
      interactive: true,
      requestMs: isSilent ? 1_000 : 20_000,
    })
    const { whoami } = aggregatorOf([notes], { signIns })
    expect(await whoami('notes')).toBe('alice')
    world.authorization.expireAccessTokens()
    world.authorization.faults.set('token', fault)
    expect(await whoami('notes')).toMatch(
      /^The server notes cannot be used for now: its token could not be refreshed: /,
    )
    world.authorization.faults.clear()
    expect(await whoami('notes')).toBe('alice')
    expect(tabs).toEqual([])
    expect(await store.read({ unit: 'notes', address: notes.url })).toHaveProperty('grant')
  })

  test.each([
    ['hang', 'did not answer within 0.3 s'],
    ['error', 'HTTP 500'],
    ['no JSON', 'cannot be read: it is not valid JSON'],
    ['empty object', 'have the wrong type'],
    ['endless', /did not answer|more than 256 kB/],
    ['missing', 'has no metadata'],
    ['redirect elsewhere', 'has no metadata'],
  ] as const)('at the first call: its metadata: %s', async (fault, said) => {
    const world = await open()
    world.authorization.faults.set('metadata', fault)
    const isSilent = fault === 'hang' || fault === 'endless'
    const requestMs = isSilent ? 300 : 20_000
    const { signIns, tabs } = signInsIn(world, { interactive: true, requestMs })
    const { whoami } = aggregatorOf([httpServer('notes', world.servers.notes.url)], { signIns })
    const text = await whoami('notes')
    expect(text).toContain('A sign-in could not be started')
    expect(text).toMatch(said)
    expect(text).toContain('Sign in to notes.')
    expect(tabs).toEqual([])
    // Nor is it tried at each call.
    const asked = world.count('metadata')
    expect(await whoami('notes')).toContain('The last sign-in failed')
    expect(world.count('metadata')).toBe(asked)
  })
})

test('tokens are in no log, error, journal or result', async () => {
  const world = await open()
  const notes = httpServer('notes', world.servers.notes.url)
  const { signIns, logs: own } = signInsIn(world)
  await signIns.signIn(notes)
  const { call, logs, lines } = aggregatorOf([notes], { signIns })
  const result = await call('notes')
  expect(result).toContain('"user":"alice"')
  expect(result).toContain('"accessToken":"[redacted]"')
  world.authorization.expireAccessTokens()
  expect(await call('notes')).toContain('"accessToken":"[redacted]"')
  const echoed = world.authorization.issued.at(-1)?.refreshToken
  expect(await call('notes', 'echo', { params: { text: `it is ${echoed}` } })).toBe(
    'it is [redacted]',
  )
  world.authorization.expireAccessTokens()
  world.authorization.faults.set('token', () =>
    Response.json(
      { error: 'invalid_request', error_description: `not ${echoed}` },
      { status: 400 },
    ),
  )
  const refused = await call('notes')
  expect(refused).toContain('invalid_request: not [redacted]')
  const said = JSON.stringify([own, logs, lines, result, refused])
  for (const { accessToken, refreshToken } of world.authorization.issued) {
    expect(said).not.toContain(accessToken)
    expect(said).not.toContain(refreshToken)
  }
})

test('tokens are sent to no place that an authorization server points to', async () => {
  const world = await open()
  const notes = httpServer('notes', world.servers.notes.url)
  const { signIns } = signInsIn(world)
  await signIns.signIn(notes)
  const { whoami } = aggregatorOf([notes], { signIns })
  const elsewhere = new URL('/elsewhere', world.servers.mail.url)
  world.authorization.faults.set('token', () => Response.redirect(elsewhere, 307))
  world.authorization.expireAccessTokens()
  expect(await whoami('notes')).toContain('its token could not be refreshed')
  expect(world.count('/elsewhere', 'mail')).toBe(0)
})

test('headers of a server go to that server and to nobody else', async () => {
  const world = await open()
  const headers = { 'x-api-key': 'key-of-notes-1234' }
  const notes = httpServer('notes', world.servers.notes.url, { headers })
  const { signIns } = signInsIn(world)
  await signIns.signIn(notes)
  const { whoami } = aggregatorOf([notes], { signIns })
  world.authorization.expireAccessTokens()
  expect(await whoami('notes')).toBe('alice')
  await signIns.signOut(notes)
  const ways = world.seen.map(({ server, endpoint, headers: sent }) => ({
    isTheirs: server === 'notes' && endpoint === 'mcp',
    isSent: sent['x-api-key'] !== undefined,
    endpoint,
  }))
  expect(ways.filter(({ isTheirs, isSent }) => isTheirs !== isSent)).toEqual([])
  expect(new Set(ways.map(({ endpoint }) => endpoint))).toEqual(
    new Set(['mcp', 'resource-metadata', 'metadata', 'register', 'authorize', 'token', 'revoke']),
  )
})

test('a configured token is used as it is', async () => {
  const world = await open()
  const headers = { Authorization: 'Bearer not-a-good-one' }
  const { signIns } = signInsIn(world, { interactive: true })
  const { whoami } = aggregatorOf([httpServer('notes', world.servers.notes.url, { headers })], {
    signIns,
  })
  expect(await whoami('notes')).toMatch(/^The server notes is down/)
  expect(world.count('metadata')).toBe(0)
})

test('a server that takes no token does not have one tab opened after the other', async () => {
  const world = await open()
  const { signIns, tabs } = signInsIn(world, { interactive: true })
  const { whoami } = aggregatorOf([httpServer('notes', world.servers.notes.url)], { signIns })
  expect(await whoami('notes')).toContain('no user is signed in. Sign in at')
  await eventually(async () => expect(await whoami('notes')).toBe('alice'))
  world.servers.notes.faults.set('mcp', () => new Response(null, { status: 401 }))
  expect(await whoami('notes')).toContain('it rejects a valid token. Sign in at')
  await eventually(async () =>
    expect(await whoami('notes')).toContain('The last sign-in did not help.'),
  )
  expect(await whoami('notes')).toContain('call again in 30 s')
  expect(tabs).toHaveLength(2)
})

test('a search says which servers need a sign-in, be they started or not', async () => {
  const world = await open({ servers: { notes: {}, mail: { needsToken: asksAtCalls } } })
  const servers = [
    httpServer('notes', world.servers.notes.url),
    httpServer('mail', world.servers.mail.url),
  ]
  const { signIns } = signInsIn(world)
  const { whoami, search } = aggregatorOf(servers, { signIns })
  await whoami('mail')
  const found = await search('whoami')
  expect(found).toContain('Not searched: notes, which needs a sign-in. Sign in to notes')
  expect(found).toContain('[needs a sign-in. Sign in to mail]')
})
