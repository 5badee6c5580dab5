import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { unattended } from '../../../oauth/test/token-requests-of.ts'
import { sandboxOf } from '../../../sandbox/src/sandbox-of.ts'
import { readConfig } from '../../../servers/src/config/read-config.ts'
import type { ServerConfig } from '../../../servers/src/config/server-config.ts'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { createMemoryPinStore } from '../../src/catalog/trust/pin.ts'
import { createAggregator } from '../../src/server/aggregator.ts'
import type { AggregatorOptions } from '../../src/server/aggregator-options.ts'
import { createClient, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'
import { signInsIn } from '../upstream/oauth/aggregated.ts'
import { freePort } from '../upstream/oauth/free-port.ts'
import { openOAuthWorld } from '../upstream/oauth/oauth-world.ts'
import { keyPaths } from './key-paths.ts'

/** A key of an entry does what it says, observed at the end of its way. */
type Row = () => Promise<void>

const readOnly = { annotations: { readOnlyHint: true } }
const calls: FakeServer = {
  era: 'both',
  tools: [
    {
      name: 'read',
      definition: readOnly,
      run: (_, { connection }) => text(`was read for ${connection.events.server.account}`),
    },
    { name: 'wipe', run: () => text('was wiped') },
    { name: 'hang', run: () => new Promise<never>(() => {}) },
  ],
}

const read = (mcpServers: object, environment = {}) =>
  readConfig(JSON.stringify({ mcpServers }), environment)

async function serverOf(entry: object, environment = {}): Promise<ServerConfig> {
  const [server] = (await read({ a: entry }, environment)).servers
  if (server === undefined) throw new Error('no server')
  return server
}

/** Starts a server as it is started in earnest; it answers nothing. */
async function start(server: ServerConfig, more: Partial<AggregatorOptions> = {}): Promise<void> {
  const aggregator = createAggregator({ servers: [server], ...more })
  await aggregator.start(server).catch(() => {})
  await aggregator.close()
}

/** An aggregator whose server `a` has this entry, and a client of it. */
async function open(entry: object, more: Partial<AggregatorOptions> = {}, a: FakeServer = calls) {
  const { servers, disabled } = await read({ a: { command: 'x', ...entry }, b: { command: 'x' } })
  const opened = openAggregator({ a, b: calls }, { servers, disabled, ...more })
  onTestFinished(opened.aggregator.close)
  const { use } = opened
  return {
    ...opened,
    call: (tool_name: string, account?: string) => use('call', { module: 'a', tool_name, account }),
    schema: () => use('get_module_schema', { module: 'a' }),
    toolNames: async () => {
      const { tools } = JSON.parse(await use('get_module_schema', { module: 'a' }))
      return (tools as JsonObject[]).map(({ name }) => name)
    },
  }
}

/** How the server is launched for the account `home`. */
async function launchFor(entry: object) {
  const { call, world } = await open(entry)
  expect(await call('read', 'home')).toBe('was read for home')
  return world.connections.map(({ events }) => events.server).find((one) => one.account === 'home')
}

/** The connection of `a` for a client that can be asked anything. */
async function connectedFor(entry: object) {
  const opened = await open(entry)
  const [server] = opened.aggregator.gateway.fleet.servers
  if (server === undefined) throw new Error('no server')
  const client = createClient({ capabilities: { elicitation: {}, sampling: {}, roots: {} } })
  const connect = async ({ session, context }: typeof client) => {
    opened.aggregator.gateway.clients.join(session)
    const { capabilities } = context()
    await opened.aggregator.gateway.instanceOf(server, session, capabilities).use(async () => {})
  }
  await connect(client)
  return { ...opened, again: () => connect(createClient()) }
}

/** What a real process was started with: it writes it to its standard error, and ends. */
const started = lazily(async () => {
  const script =
    'console.error(JSON.stringify([process.argv0, process.argv.slice(1), process.cwd(), process.env.KEY]))'
  const cwd = realpathSync(tmpdir())
  const entry = { command: process.execPath, args: ['-e', script, 'last'], env: { KEY: 'v' }, cwd }
  const lines: string[] = []
  await start(await serverOf(entry), { onStderr: (_, line) => void lines.push(line) })
  const [command, args, folder, key] = JSON.parse(lines[0] ?? '[]')
  return { command, args, folder, key, cwd }
})

/** The first request that a server over HTTP got; it answers each with an error. */
async function requestOf(entry: (url: string) => object) {
  const seen: { method?: string | undefined; url?: string | undefined; key?: unknown }[] = []
  const server = createServer(({ method, url, headers }, response) => {
    seen.push({ method, url, key: headers['x-key'] })
    response.writeHead(500).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await start(await serverOf(entry(`http://127.0.0.1:${port}/own/path`)))
  server.closeAllConnections()
  server.close()
  return seen[0]
}

/** What the authorization server saw of a sign-in with every key. */
const signedIn = lazily(async () => {
  const world = await openOAuthWorld({ servers: { notes: {}, mail: {} } })
  const port = await freePort()
  world.authorization.clients.add({
    client_id: 'own-id',
    client_secret: 'own-secret',
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_basic',
  })
  const oauth = { clientId: 'own-id', clientSecret: 'own-secret', scope: 'publish', port }
  const url = world.servers.notes.url
  const { signIns } = signInsIn(world)
  await signIns.signIn(await serverOf({ url, oauth }))
  const [at] = world.seen.filter(({ endpoint }) => endpoint === 'authorize')
  const [token] = world.seen.filter(({ endpoint }) => endpoint === 'token')
  const other = { ...oauth, issuer: 'https://other.example' }
  const refusal = await signIns.signIn(await serverOf({ url, oauth: other })).then(String, String)
  await world.close()
  return { asked: at?.fields ?? {}, sent: token?.headers['authorization'], port, refusal }
})

/** The JWT of a client with a key. */
async function signedWith(algorithm: 'RS256'): Promise<string> {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const { keeper, requests } = unattended({ clientId: 'own-id', privateKey, algorithm })
  await keeper.renew(undefined, {})
  return requests[0]?.fields['client_assertion'] ?? ''
}

/** What the sandbox of an entry allows, on a machine that has bubblewrap. */
async function reportOf(sandbox: object, environment = {}) {
  const entry = { command: process.execPath, sandbox }
  const server = await serverOf(entry, { PATH: '/bin', ...environment })
  const found = { path: '/usr/bin/bwrap', knowsSize: true, refusesNamespaces: true }
  return sandboxOf(server, { findBubblewrap: async () => found })
}

const folder = realpathSync(tmpdir())

const outputSchema = { type: 'object', properties: { count: { type: 'integer' } } }
/** Its results are not as they should be. */
const structured: FakeServer = {
  tools: [
    {
      name: 'count',
      definition: { outputSchema },
      run: () => ({ ...text('many'), structuredContent: { count: 'many' } }),
    },
    { name: 'hide', run: () => text('a\n\u200bb\u{e0041}') },
  ],
}

const rows: Record<string, Row> = {
  type: async () => {
    expect(await requestOf((url) => ({ url }))).toMatchObject({ method: 'POST' })
    expect(await requestOf((url) => ({ url, type: 'sse' }))).toMatchObject({ method: 'GET' })
  },
  command: async () => expect((await started()).command).toBe(process.execPath),
  args: async () => expect((await started()).args).toEqual(['last']),
  env: async () => expect((await started()).key).toBe('v'),
  cwd: async () => expect((await started()).folder).toBe((await started()).cwd),
  url: async () => expect(await requestOf((url) => ({ url }))).toMatchObject({ url: '/own/path' }),
  serverUrl: async () =>
    expect(await requestOf((serverUrl) => ({ serverUrl }))).toMatchObject({ url: '/own/path' }),
  httpUrl: async () =>
    expect(await requestOf((httpUrl) => ({ httpUrl }))).toMatchObject({ url: '/own/path' }),
  headers: async () =>
    expect(await requestOf((url) => ({ url, headers: { 'x-key': 'k' } }))).toMatchObject({
      key: 'k',
    }),
  'sandbox.by': async () => {
    expect(await reportOf({ by: ['box', '--in'] })).toMatchObject({ program: 'box' })
    expect(await reportOf({ by: 'bubblewrap' })).toMatchObject({ by: 'bubblewrap' })
  },
  'sandbox.env': async () =>
    expect(await reportOf({ env: ['KEY'] }, { KEY: 'v' })).toMatchObject({ variables: ['KEY'] }),
  'sandbox.files.read': async () => {
    expect(await reportOf({ files: { read: [folder] } })).toMatchObject({
      reads: expect.arrayContaining([folder]),
    })
    expect(await reportOf({ files: 'read' })).toMatchObject({ readsAll: true })
  },
  'sandbox.files.write': async () =>
    expect(await reportOf({ files: { write: [folder] } })).toMatchObject({ writes: [folder] }),
  'sandbox.network': async () => {
    expect(await reportOf({ network: true })).toMatchObject({ network: true })
    expect(await reportOf({ network: false })).toMatchObject({ network: false })
  },
  'oauth.clientId': async () =>
    expect((await signedIn()).asked).toMatchObject({ client_id: 'own-id' }),
  'oauth.clientSecret': async () =>
    expect((await signedIn()).sent).toBe(
      `Basic ${Buffer.from('own-id:own-secret').toString('base64')}`,
    ),
  'oauth.issuer': async () => expect((await signedIn()).refusal).toMatch('other.example'),
  'oauth.scope': async () => expect((await signedIn()).asked).toMatchObject({ scope: 'publish' }),
  'oauth.grant': async () => {
    const { keeper, requests } = unattended({ clientId: 'own-id', clientSecret: 'own-secret' })
    await keeper.renew(undefined, {})
    expect(requests[0]?.fields['grant_type']).toBe('client_credentials')
  },
  'oauth.privateKey': async () => expect(await signedWith('RS256')).toMatch(/^eyJ/),
  'oauth.algorithm': async () => {
    const [head = ''] = (await signedWith('RS256')).split('.')
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toMatchObject({ alg: 'RS256' })
  },
  'oauth.port': async () => {
    const { asked, port } = await signedIn()
    expect(asked).toMatchObject({ redirect_uri: `http://127.0.0.1:${port}/callback` })
  },
  enabled: async () => {
    const { call, use, world } = await open({ enabled: false })
    await call('read')
    expect(world.starts).toEqual({})
    expect(await use('search_tools', { query: 'a' })).toContain('a is disabled')
  },
  disabled: async () => {
    const { call, use, world } = await open({ disabled: true })
    await call('read')
    expect(world.starts).toEqual({})
    expect(await use('search_tools', { query: 'a' })).toContain('a is disabled')
  },
  description: async () => {
    const { use } = await open({ description: 'of the office' })
    expect(await use('get_module_schema', {})).toContain('of the office')
  },
  tags: async () => {
    const { use } = await open({ tags: ['office'] }, { profiles: { p: { tags: ['office'] } } })
    const overview = await use('get_module_schema', {}, { profile: 'p' })
    expect(overview).toMatch(/\ba\b/)
    expect(overview).not.toMatch(/\bb\b/)
  },
  account: async () => {
    const { call } = await open({ accounts: { work: {}, home: {} }, account: 'home' })
    expect(await call('read')).toBe('was read for home')
  },
  'accounts.*.description': async () => {
    const accounts = { work: { description: 'of the office' }, home: {} }
    const { schema, use } = await open({ accounts })
    const overview = `${await schema()}${await use('get_module_schema', {})}`
    expect(overview).toContain('of the office')
  },
  'accounts.*.args': async () => {
    const accounts = { work: {}, home: { args: ['own'] } }
    expect(await launchFor({ args: ['all'], accounts })).toMatchObject({ args: ['own'] })
  },
  'accounts.*.env': async () => {
    const accounts = { work: {}, home: { env: { KEY: 'own' } } }
    expect(await launchFor({ accounts })).toMatchObject({ env: { KEY: 'own' } })
  },
  'accounts.*.url': async () => {
    const accounts = { work: {}, home: { url: 'https://own.example/' } }
    const entry = { command: undefined, url: 'https://all.example/', accounts }
    expect(await launchFor(entry)).toMatchObject({ url: 'https://own.example/' })
  },
  'accounts.*.headers': async () => {
    const accounts = { work: {}, home: { headers: { 'x-key': 'own' } } }
    const entry = { command: undefined, url: 'https://all.example/', accounts }
    expect(await launchFor(entry)).toMatchObject({ headers: { 'x-key': 'own' } })
  },
  allow: async () => {
    const { toolNames } = await open({ allow: ['read'] })
    expect(await toolNames()).toEqual(['read'])
  },
  deny: async () => {
    const { toolNames } = await open({ deny: ['wipe'] })
    expect(await toolNames()).toEqual(['read', 'hang'])
  },
  readOnly: async () => {
    const { toolNames } = await open({ readOnly: true })
    expect(await toolNames()).toEqual(['read'])
  },
  'tools.*.name': async () => {
    const { toolNames } = await open({ tools: { read: { name: 'look' } } })
    expect(await toolNames()).toContain('look')
  },
  'tools.*.description': async () => {
    const { schema } = await open({ tools: { read: { description: 'of the office' } } })
    expect(await schema()).toContain('of the office')
  },
  'tools.*.tags': async () => {
    const { use } = await open({ tools: { read: { tags: ['ledger'] } } })
    await use('get_module_schema', {})
    const found = await use('search_tools', { query: 'ledger' })
    expect(found).toContain('read')
    expect(found).not.toContain('wipe')
  },
  'tools.*.enabled': async () => {
    const { toolNames } = await open({ tools: { wipe: { enabled: false } } })
    expect(await toolNames()).toEqual(['read', 'hang'])
  },
  ...Object.fromEntries(
    (['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const).map(
      (hint): [string, Row] => [
        `annotations.*.${hint}`,
        async () => {
          const { call } = await open(
            { annotations: { 'wip*': { [hint]: false } } },
            { permissions: { deny: [{ annotations: { [hint]: false } }] } },
          )
          expect(await call('wipe')).toContain('is denied by')
        },
      ],
    ),
  ),
  'results.schema': async () => {
    const results = (schema: string) => open({ results: { schema } }, {}, structured)
    expect(await (await results('warn')).call('count')).toBe(
      'many\n[The result does not match the output schema of the tool: it.count must be a whole number.]',
    )
    expect(await (await results('refuse')).call('count')).toContain(
      'The result of a.count does not match its output schema: it.count must be a whole number.',
    )
    expect(await (await open({}, {}, structured)).call('count')).toBe('many')
  },
  'results.invisible': async () => {
    const { call } = await open({ results: { invisible: 'strip' } }, {}, structured)
    expect(await call('hide')).toBe('a\nb\n[2 invisible characters were removed.]')
    expect(await (await open({}, {}, structured)).call('hide')).toBe('a\n\u200bb\u{e0041}')
  },
  'results.fence': async () => {
    const { call } = await open({ results: { fence: ['h*'] } }, {}, structured)
    expect(await call('hide')).toBe('<server-text>a\n\u200bb\u{e0041}</server-text>')
    expect(await call('count')).toBe('many')
  },
  'results.select': async () => {
    const { call } = await open({ results: { select: { 'co*': ['$.count'] } } }, {}, structured)
    expect(await call('count')).toMatch(
      /^"many"\n\[selected 4 characters; the whole has 4 characters: read_more/,
    )
    expect(await call('hide')).toBe('a\n\u200bb\u{e0041}')
    const wrong = await open({ results: { select: { count: '$[' } } }, {}, structured)
    expect(await wrong.call('count')).toMatch(/results\.select\.count: .*Nothing was called/)
  },
  pin: async () => {
    const pinned = async (entry: object) => {
      const pinStore = createMemoryPinStore()
      const { schema } = await open(entry, { pinStore })
      await schema()
      return pinStore.all().flatMap(({ pins }) => Object.keys(pins))
    }
    expect(await pinned({})).toContain('read')
    expect(await pinned({ pin: false })).toEqual([])
  },
  'rate.calls': async () => {
    const { call } = await open({ rate: { calls: 2, seconds: 600 } })
    for (let count = 0; count < 2; count++) expect(await call('read')).toContain('was read')
    expect(await call('read')).toContain('can be called 2 times')
  },
  'rate.seconds': async () => {
    const { call } = await open({ rate: { calls: 1, seconds: 700 } })
    await call('read')
    expect(await call('read')).toContain('in 700 s')
  },
  maxConcurrency: async () => {
    let running = 0
    let most = 0
    const run = async () => {
      most = Math.max(most, ++running)
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
      running--
      return text('done')
    }
    const { call } = await open({ maxConcurrency: 2 }, {}, { tools: [{ name: 'read', run }] })
    await call('read')
    await Promise.all([1, 2, 3, 4].map(() => call('read')))
    expect(most).toBe(2)
  },
  timeoutSeconds: async () => {
    const { call } = await open({ timeoutSeconds: 0.03 })
    expect(await call('hang')).toContain('0.03 s')
  },
  startTimeoutSeconds: async () => {
    const { call } = await open(
      { startTimeoutSeconds: 0.03 },
      {},
      { onStart: () => new Promise<never>(() => {}) },
    )
    expect(await call('read')).toContain('did not answer within 0.03 s')
  },
  idleMinutes: async () => {
    const { call, world } = await open({ idleMinutes: 0.0002 })
    await call('read')
    expect(await world.connections[0]?.closed).toBe('it was stopped')
  },
  per: async () => {
    const { world, again } = await connectedFor({ per: 'session' })
    await again()
    await again()
    expect(world.connections).toHaveLength(3)
  },
  maxInstances: async () => {
    const { again } = await connectedFor({ per: 'session', maxInstances: 1 })
    await expect(again()).rejects.toThrow('an instance for each session, and 1 run')
  },
  asks: async () => {
    const { world } = await connectedFor({ asks: ['roots'] })
    const { extensions, ...rest } = world.connections[0]?.events.capabilities ?? {}
    expect(Object.keys(rest)).toEqual(['roots'])
  },
  alwaysAllow: () => isIgnored('alwaysAllow'),
  autoApprove: () => isIgnored('autoApprove'),
  gallery: () => isIgnored('gallery'),
  version: () => isIgnored('version'),
}

/** A key of clients, which is said to have no effect. */
async function isIgnored(key: string): Promise<void> {
  const { ignored } = await read({ a: { command: 'x', [key]: ['read'] } })
  expect(ignored).toEqual([`mcpServers.a.${key}`])
}

/** Runs `make` once, when it is first needed. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

const ofEntries = 'mcpServers.*.'

test.each(Object.entries(rows))('mcpServers.*.%s arrives where it is used', (_, arrives) =>
  arrives(),
)

test('every key of an entry is looked for', () => {
  const paths = keyPaths().filter((path) => path.startsWith(ofEntries))
  expect(Object.keys(rows).sort()).toEqual(paths.map((path) => path.slice(ofEntries.length)))
})
