import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keyPaths } from '../../../../packages/aggregator/test/config/key-paths.ts'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import { startIssuer } from '../../../../packages/server-kit/test/issuer.ts'
import { startDeadEngine } from '../../../../packages/server-kit/test/run/dead-engine.ts'
import { listening, owner, serveHere, startServers } from './serve-here.ts'

/** A key of `aggregator` does what it says in a process that serves. */
type Row = () => Promise<void>

/** Serves the servers `a` and `b` with these settings. */
const serveWith = async (aggregator: object) =>
  serveHere({ mcpServers: await startServers('a', 'b'), aggregator })

/** The same result for the same settings: what is observed of a process that has ended. */
function once<Settings, T>(observe: (settings: Settings) => Promise<T>) {
  const seen = new Map<string, Promise<T>>()
  return (settings: Settings): Promise<T> => {
    const key = JSON.stringify(settings)
    const known = seen.get(key) ?? observe(settings)
    seen.set(key, known)
    return known
  }
}

/** What clients of profiles can use; the name of each is the key that it has. */
const profiled = once(async () => {
  const { a, b } = await startServers('a', 'b')
  const profiles = {
    description: { description: 'of the office' },
    servers: { servers: ['b'] },
    tags: { tags: ['own'] },
    allow: { allow: ['a.read'] },
    deny: { deny: ['a.read'] },
    readOnly: { readOnly: true },
    accounts: { accounts: { a: ['home', 'club'] } },
  }
  const accounts = { work: {}, home: {}, club: {} }
  const mcpServers = { a: { ...a, accounts, tags: ['own'] }, b }
  const { modules, schema, json } = await serveHere({ mcpServers, aggregator: { profiles } })
  const of = (profile: string) => ({ path: `/mcp/${profile}` })
  const toolNames = async (profile: string) => namesIn(await schema(of(profile)))
  return {
    described: await json('/api/v1/profiles'),
    servers: await modules(of('servers')),
    tags: await modules(of('tags')),
    allow: await toolNames('allow'),
    deny: await toolNames('deny'),
    readOnly: await toolNames('readOnly'),
    accounts: (await schema(of('accounts'))).accounts,
  }
})
const namesIn = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name)

const ada = 'token-of-ada'
const asAda = { token: ada }
const callersWith = (caller: object) => ({ callers: { ada: { token: ada, ...caller } } })
const callerWith = (caller: object) => ({ ...asAda, ...callersWith(caller) })

interface Limited {
  token?: string
  limits?: object
  callers?: object
}

/** What is said when a limit is reached, after one call to `a` that was answered. */
const limited = once(async ({ token = owner, ...aggregator }: Limited) => {
  const { read } = await serveWith(aggregator)
  expect(await read('a', { token })).toContain('was read')
  return read('a', { token })
})
const rate = { calls: 1, seconds: 700 }

/** What a model got, and the order of two tools that words rank alike. */
const embedded = once(async (weight: number) => {
  const requests: { path: string | undefined; key: string | undefined; model: string }[] = []
  const model = createServer(async (request, response) => {
    const { url: path, headers } = request
    const { input, model } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    requests.push({ path, key: headers.authorization, model })
    const data = input.map((text: string) => ({
      embedding: /^a|wipe/i.test(text) ? [1, 0] : [0, 1],
    }))
    response.end(JSON.stringify({ data }))
  })
  const url = `http://127.0.0.1:${await listening(model)}/own`
  const { use } = await serveWith({ embeddings: { url, model: 'own', apiKey: 'key', weight } })
  return { requests, said: await use('search_tools', { query: 'reads wipes' }) }
})

const audience = 'https://pith.example/mcp'

/** What clients with tokens of an issuer can do; its own claims and scopes have names of their own. */
const admitted = once(async (more: object) => {
  const issuer = await startIssuer(audience)
  const iss = 'https://issuer.example'
  const scopes = {
    mcp: 'own-mcp',
    'console:read': 'own-read',
    console: 'own-console',
    'console:admin': 'own-admin',
  }
  const own = { issuer: iss, audience, jwksUri: `${issuer.issuer}/jwks`, scopes, nameClaim: 'own' }
  const oauth = { ...own, resource: 'https://resource.example/mcp', ...more }
  const served = await serveWith({ oauth, profiles: { p: { servers: ['b'] } } })
  const sign = async (claims: object = {}) => ({
    token: await issuer.sign({ claims: { iss, own: 'grace', scope: 'own-mcp', ...claims } }),
  })
  const listed = async (claims?: object) =>
    (await served.send('tools/list', {}, await sign(claims))).status
  const seen = {
    listed: await listed(),
    ofOtherIssuer: await listed({ iss: 'https://other.example' }),
    forOtherAudience: await listed({ aud: 'https://other.example' }),
    withOtherScope: await listed({ scope: 'mcp' }),
    keyRequests: issuer.keyRequests(),
    metadata: await served.json('/.well-known/oauth-protected-resource/mcp'),
    reader: await served.json('/api/v1/session', await sign({ scope: 'own-read' })),
    changer: await served.json('/api/v1/session', await sign({ scope: 'own-console' })),
    admin: await served.json('/api/v1/session', await sign({ scope: 'own-admin' })),
    modules: await served.use('get_module_schema', {}, await sign({ tenant: 'p' })).catch(String),
  }
  await issuer.close()
  return seen
})

/** Calls a tool while OpenTelemetry has a collector. Returns the paths that the collector was sent to. */
async function traced(traces: boolean): Promise<(string | undefined)[]> {
  const seen: (string | undefined)[] = []
  const collector = createServer(({ url }, response) => {
    seen.push(url)
    response.end()
  })
  const url = `http://127.0.0.1:${await listening(collector)}/own/traces`
  vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', url)
  const { read, stop } = await serveWith({ telemetry: { traces } })
  await read()
  await stop()
  vi.unstubAllEnvs()
  return seen
}

/** A journal with a file of each of these days and sizes; what is left of them after a call. */
async function kept(settings: object, days: readonly number[], bytes = 10): Promise<number> {
  const folder = temporaryFolder(onTestFinished)
  const nameOf = (day: number): string => {
    const date = new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10)
    return `${date}.old.1.jsonl`
  }
  for (const day of days) writeFileSync(join(folder, nameOf(day)), `${' '.repeat(bytes)}\n`)
  const { read } = await serveWith({ journal: { folder, ...settings } })
  await read()
  return readdirSync(folder).filter((name) => name.includes('.old.')).length
}

const rows: Record<string, Row> = {
  profile: async () => {
    const { modules } = await serveWith({ profile: 'p', profiles: { p: { servers: ['b'] } } })
    expect(await modules()).toEqual(['b'])
  },
  'profiles.*.description': async () =>
    expect((await profiled({})).described).toMatchObject({
      profiles: expect.arrayContaining([expect.objectContaining({ description: 'of the office' })]),
    }),
  'profiles.*.servers': async () => expect((await profiled({})).servers).toEqual(['b']),
  'profiles.*.tags': async () => expect((await profiled({})).tags).toEqual(['a']),
  'profiles.*.allow': async () => expect((await profiled({})).allow).toEqual(['read']),
  'profiles.*.deny': async () => expect((await profiled({})).deny).toEqual(['wipe', 'long']),
  'profiles.*.readOnly': async () => expect((await profiled({})).readOnly).toEqual(['read']),
  'profiles.*.accounts': async () =>
    expect((await profiled({})).accounts).toEqual(['home', 'club']),
  'callers.*.token': async () => {
    const { send } = await serveWith(callersWith({}))
    expect((await send('tools/list', {}, asAda)).status).toBe(200)
    expect((await send('tools/list', {}, { token: 'token-of-eve' })).status).toBe(401)
  },
  'callers.*.profile': async () => {
    const { modules } = await serveWith({
      ...callersWith({ profile: 'p' }),
      profiles: { p: { servers: ['b'] } },
    })
    expect(await modules(asAda)).toEqual(['b'])
  },
  'callers.*.rate.calls': async () =>
    expect(await limited(callerWith({ rate }))).toMatch(/^Tools can.* 1 times/),
  'callers.*.rate.seconds': async () =>
    expect(await limited(callerWith({ rate }))).toMatch(/^Tools can.* 700 s/),
  'callers.*.sessionTokens': async () =>
    expect(await limited(callerWith({ sessionTokens: 1 }))).toContain('of a budget of 1.'),
  'oauth.issuer': async () =>
    expect(await admitted({})).toMatchObject({ listed: 200, ofOtherIssuer: 401 }),
  'oauth.audience': async () =>
    expect(await admitted({})).toMatchObject({ listed: 200, forOtherAudience: 401 }),
  'oauth.jwksUri': async () => expect(await admitted({})).toMatchObject({ keyRequests: 1 }),
  'oauth.resource': async () =>
    expect(await admitted({})).toMatchObject({
      metadata: { resource: 'https://resource.example/mcp' },
    }),
  'oauth.scopes.mcp': async () =>
    expect(await admitted({})).toMatchObject({ listed: 200, withOtherScope: 403 }),
  'oauth.scopes.console:read': async () =>
    expect(await admitted({})).toMatchObject({ reader: { scopes: ['console:read'] } }),
  'oauth.scopes.console': async () =>
    expect(await admitted({})).toMatchObject({
      changer: { scopes: expect.arrayContaining(['console']) },
    }),
  'oauth.scopes.console:admin': async () =>
    expect(await admitted({})).toMatchObject({
      admin: { scopes: ['console:read', 'console', 'console:admin'] },
    }),
  'oauth.profileClaim': async () =>
    expect(await admitted({ profileClaim: 'tenant' })).toMatchObject({
      listed: 401,
      modules: expect.stringMatching(/^b: \d+ tools$/),
    }),
  'oauth.nameClaim': async () =>
    expect(await admitted({})).toMatchObject({ reader: { name: 'grace' } }),
  'oauth.algorithms': async () =>
    expect(await admitted({ algorithms: ['ES256'] })).toMatchObject({ listed: 401 }),
  'limits.caller.calls': async () =>
    expect(await limited({ limits: { caller: rate } })).toMatch(/^Tools can.* 1 times/),
  'limits.caller.seconds': async () =>
    expect(await limited({ limits: { caller: rate } })).toMatch(/^Tools can.* 700 s/),
  'limits.server.calls': async () =>
    expect(await limited({ limits: { server: rate } })).toMatch(/^Tools of a.* 1 times/),
  'limits.server.seconds': async () =>
    expect(await limited({ limits: { server: rate } })).toMatch(/^Tools of a.* 700 s/),
  'limits.tool.calls': async () =>
    expect(await limited({ limits: { tool: rate } })).toMatch(/^a\.read.* 1 times/),
  'limits.tool.seconds': async () =>
    expect(await limited({ limits: { tool: rate } })).toMatch(/^a\.read.* 700 s/),
  'limits.sessionTokens': async () =>
    expect(await limited({ limits: { sessionTokens: 1 } })).toContain('of a budget of 1.'),
  'limits.redis': async () => {
    const { port, visits } = await startDeadEngine()
    await serveWith({ limits: { redis: `redis://127.0.0.1:${port}` } })
    expect(visits()).toBeGreaterThan(0)
  },
  firstListSeconds: async () => {
    const mcpServers = await startServers('a', 'slow')
    const ending = new AbortController()
    const overview = async (aggregator: object) => {
      const { use } = await serveHere({ mcpServers, aggregator })
      return () => use('get_module_schema', {}, { signal: ending.signal })
    }
    const [usual, short] = [await overview({}), await overview({ firstListSeconds: 0.01 })]
    const first = await Promise.race([
      usual().then(
        () => 'usual',
        () => 'aborted',
      ),
      short().then(() => 'short'),
    ])
    ending.abort()
    expect(first).toBe('short')
  },
  alwaysLoad: async () => {
    const marked = async (aggregator: object) =>
      (await (await serveWith(aggregator)).tools()).filter(({ _meta }) => _meta).length
    expect(await marked({})).toBe(2)
    expect(await marked({ alwaysLoad: false })).toBe(0)
  },
  readOnlyCall: async () => {
    const names = async (aggregator: object) =>
      (await (await serveWith(aggregator)).tools()).map(({ name }) => name)
    expect(await names({})).not.toContain('call_read_only')
    expect(await names({ readOnlyCall: true })).toContain('call_read_only')
  },
  // Its members: packages/aggregator/test/config/every-permission.test.ts.
  permissions: async () => {
    const deny = [{ tools: ['a.read'] }]
    expect(await (await serveWith({ permissions: { deny } })).read()).toContain('is denied by')
  },
  'embeddings.url': async () =>
    expect((await embedded(0)).requests[0]?.path).toBe('/own/embeddings'),
  'embeddings.model': async () => expect((await embedded(0)).requests[0]?.model).toBe('own'),
  'embeddings.apiKey': async () => expect((await embedded(0)).requests[0]?.key).toBe('Bearer key'),
  'embeddings.weight': async () =>
    expect((await embedded(0)).said).not.toBe((await embedded(1)).said),
  'trust.pin': async () => {
    const pinned = async (trust: object) => {
      const { folder, schema } = await serveWith({ trust })
      await schema()
      return existsSync(join(folder, 'state', 'pins'))
    }
    expect(await pinned({ new: 'allow' })).toBe(true)
    expect(await pinned({ pin: false })).toBe(false)
  },
  'trust.new': async () => {
    expect(await (await serveWith({ trust: { new: 'allow' } })).read()).toContain('was read')
    expect(await (await serveWith({ trust: { new: 'hold' } })).read()).toContain('approve')
  },
  'trust.scan': async () => {
    const mcpServers = await startServers('odd')
    const listed = async (trust: object) => {
      const { use } = await serveHere({
        mcpServers,
        aggregator: { trust: { new: 'allow', ...trust } },
      })
      return namesIn(JSON.parse(await use('get_module_schema', { module: 'odd' })))
    }
    expect(await listed({})).not.toContain('odd')
    expect(await listed({ scan: false })).toContain('odd')
  },
  'journal.folder': async () => {
    const folder = temporaryFolder(onTestFinished)
    const { read } = await serveWith({ journal: { folder } })
    await read()
    expect(readdirSync(folder).join()).toContain('.jsonl')
  },
  'journal.retentionDays': async () => {
    expect(await kept({ retentionDays: 5 }, [4, 0])).toBe(2)
    expect(await kept({ retentionDays: 3 }, [4, 0])).toBe(1)
  },
  'journal.maxMegabytes': async () => {
    expect(await kept({ maxMegabytes: 3 }, [1], 2_000_000)).toBe(1)
    expect(await kept({ maxMegabytes: 1 }, [1], 2_000_000)).toBe(0)
  },
  'journal.failClosed': async () => {
    const folder = join(temporaryFolder(onTestFinished), 'file')
    writeFileSync(folder, '')
    expect(await (await serveWith({ journal: { folder } })).read()).toContain('was read')
    const closed = await serveWith({ journal: { folder, failClosed: true } })
    expect(await closed.read()).toContain('cannot be written')
  },
  'journal.holdRepeatsMinutes': async () => {
    const repeated = async (holdRepeatsMinutes: number) => {
      const { stuck } = await startServers('stuck')
      const { use } = await serveHere({
        mcpServers: { stuck: { ...stuck, timeoutSeconds: 0.2 } },
        aggregator: { journal: { holdRepeatsMinutes } },
      })
      const wipe = () => use('call', { module: 'stuck', tool_name: 'wipe', params: {} })
      await wipe()
      return wipe()
    }
    expect(await repeated(5)).toContain('its outcome is unknown')
    expect(await repeated(0)).toContain('did not answer')
  },
  'telemetry.traces': async () => {
    expect(await traced(true)).toContain('/own/traces')
    expect(await traced(false)).toEqual([])
  },
  'telemetry.metrics': async () => {
    const statusOf = async (telemetry: object) =>
      (await serveWith({ telemetry })).statusOf('/metrics')
    expect(await statusOf({ metrics: true })).toBe(200)
    expect(await statusOf({ metrics: false })).toBe(404)
  },
}

test.each(Object.entries(rows))('aggregator.%s arrives where it is used', (_, arrives) => arrives())

test('every key of the object aggregator is looked for', () => {
  const paths = keyPaths().filter((path) => !path.startsWith('mcpServers.'))
  const names = paths.map((path) =>
    path.replace('aggregator.', '').replace(/^permissions\..*/, 'permissions'),
  )
  expect(Object.keys(rows).sort()).toEqual([...new Set(names)].sort())
})
