import { describe, expect, test } from 'vitest'
import type { Environment } from '../../src/config/expand-variables.ts'
import { readConfig } from '../../src/config/read-config.ts'

const readServers = async (text: string, environment: Environment) =>
  (await readConfig(text, environment)).servers

import { secretsOf } from '../../src/secrets/find-secrets.ts'

const read = (servers: object, environment = {}) =>
  readServers(JSON.stringify({ mcpServers: servers }), environment)

describe('servers are read as clients write them', () => {
  test('with a command', async () => {
    const [server] = await read({ a: { command: 'npx', args: ['-y', 'x'], env: { A: 'b' } } })
    expect(server).toMatchObject({
      name: 'a',
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'x'],
      env: { A: 'b' },
      timeoutMs: 300_000,
      startTimeoutMs: 30_000,
      idleMs: 900_000,
    })
  })

  test.each([
    [{ url: 'https://example.com/mcp', headers: { a: 'b' } }, 'http'],
    [{ type: 'streamable-http', url: 'https://example.com/mcp' }, 'http'],
    [{ type: 'sse', url: 'https://example.com/sse' }, 'sse'],
    [{ serverUrl: 'https://example.com/mcp' }, 'http'],
    [{ httpUrl: 'https://example.com/mcp' }, 'http'],
  ])('at an address: %j', async (entry, type) => {
    const [server] = await read({ a: entry })
    expect(server).toMatchObject({ type, url: expect.stringContaining('https://example.com/') })
  })

  test('with comments, trailing commas and the key of VS Code', async () => {
    const text = '// mine\n{"servers": {"a": {"command": "x",}, /* off */ },}'
    expect(await readServers(text, {})).toHaveLength(1)
  })

  test.each([{ enabled: false }, { disabled: true }])(
    'without those switched off: %j',
    async (off) => {
      expect(await read({ a: { command: 'x', ...off }, b: { command: 'y' } })).toHaveLength(1)
    },
  )
})

test('variables are put in, with defaults, and by either spelling', async () => {
  const [server] = await read(
    {
      a: {
        command: '${BIN}',
        args: ['${env:ARG}', '${NONE:-else}', '$${BIN}'],
        env: { T: 'x${BIN}y' },
      },
    },
    { BIN: 'node', ARG: '1' },
  )
  expect(server).toMatchObject({
    command: 'node',
    args: ['1', 'else', '${BIN}'],
    env: { T: 'xnodey' },
  })
})

test('a server with a variable that is not set says which, and the others work', async () => {
  const [one, other] = await read({
    a: { command: 'x', env: { TOKEN: '${NO_TOKEN}' } },
    b: { command: 'y' },
  })
  expect(one?.problem).toContain('env.TOKEN refers to ${NO_TOKEN}')
  expect(other?.problem).toBeUndefined()
})

describe('what is wrong is named with its path', () => {
  test.each([
    [
      { a: { comand: 'x' } },
      'mcpServers.a.comand is not a known key. The most similar key is command.',
    ],
    [{ a: { command: 'x', args: 'y' } }, /^mcpServers\.a\.args must be a list\.$/],
    [
      { a: { command: 'x', timeoutSeconds: -1 } },
      'mcpServers.a.timeoutSeconds must be at least 0, got -1.',
    ],
    [
      { a: { command: 'x', per: 'client' } },
      'mcpServers.a.per must be "replica" or "session", got "client".',
    ],
    [
      { a: { command: 'x', per: 'cluster' } },
      'mcpServers.a.per must be "replica" or "session" (run a server that all replicas share once, over HTTP, and name its url instead of the command), got "cluster".',
    ],
    [{ a: {} }, 'mcpServers.a must have a command or a url.'],
    [{ a: { command: 'x', url: 'https://x' } }, 'must have only one of command and url'],
    [{ a: { command: 'x', type: 'sse' } }, 'mcpServers.a has type sse, which requires a url.'],
    [{ a: { url: 'ftp://x' } }, '"ftp://x" is not an http or https URL.'],
    [{ 'a/b': { command: 'x' } }, 'mcpServers.a/b: The name must have'],
  ])('%j', async (servers, message) => {
    await expect(read(servers)).rejects.toThrow(message)
  })

  test('a place in the file', async () => {
    await expect(readServers('{"mcpServers": {\n  "a": }', {})).rejects.toThrow(
      'The text is not valid JSON: value expected at line 2, column 8.',
    )
  })

  test('but not the values of environments and headers', async () => {
    await expect(read({ a: { command: 'x', env: { TOKEN: 12345678 } } })).rejects.toThrow(
      /^mcpServers\.a\.env\.TOKEN must be a text\.$/,
    )
  })
})

test('a mark before the text does not matter', async () => {
  expect(await readServers('\uFEFF{"mcpServers": {"a": {"command": "x"}}}', {})).toHaveLength(1)
})

test.each([
  [
    '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}',
    'mcpServers.a is defined twice: at line 1, column 17 and at line 1, column 40.',
  ],
  ['{"mcpServers": {}, "servers": {}}', 'both mcpServers and servers'],
  ['{"mcpServers": {"__proto__": {"command": "x"}}}', 'mcpServers.__proto__: The name must have'],
  ['[]', 'There is no object mcpServers'],
])('%s is not read in silence', async (text, message) => {
  await expect(readServers(text, {})).rejects.toThrow(message)
})

describe('what was put in for a variable', () => {
  const environment = { KEY: 'sk-secret-123' }

  test('is a secret wherever it stands', async () => {
    const [server] = await read({ a: { command: 'x', args: ['--key=${KEY}'] } }, environment)
    expect(new Set(server && secretsOf(server))).toEqual(new Set(['sk-secret-123']))
  })

  test('is not said in errors', async () => {
    await expect(read({ a: { url: 'ftp://x?key=${KEY}' } }, environment)).rejects.toThrow(
      /^mcpServers\.a\.url: "ftp:\/\/x\?key=\$\{KEY\}" is not an http/,
    )
  })

  test('is only what the environment has', async () => {
    const [server] = await read({ a: { command: '${constructor}' } }, environment)
    expect(server?.problem).toContain('${constructor}, which is not set')
  })
})

describe('what stands beside the servers', () => {
  const read = (aggregator: object, environment: Environment = {}) =>
    readConfig(JSON.stringify({ mcpServers: {}, aggregator }), environment)

  test('is read with its variables', async () => {
    const callers = { ci: { token: '${CI_TOKEN}' } }
    const { settings } = await read({ callers }, { CI_TOKEN: 'token-of-ci' })
    expect(settings.callers).toEqual({ ci: { token: 'token-of-ci' } })
  })

  test.each([
    ['a key there is not', { profil: 'x' }, 'aggregator.profil is not a known key.'],
    [
      'a profile there is not',
      { profile: 'x' },
      'aggregator.profile must name a profile of aggregator.profiles, got "x".',
    ],
    [
      'a profile of a caller there is not',
      { callers: { a: { token: 'long enough', profile: 'x' } } },
      /^aggregator\.callers\.a\.profile must name a profile of aggregator\.profiles, got "x"\.$/,
    ],
    [
      'an invalid name',
      { profiles: { '../x': {} } },
      /^aggregator\.profiles\.\.\.\/x must be a name of at most 40 letters/,
    ],
    ['a short token', { callers: { a: { token: 'short' } } }, 'at least 8 characters'],
    [
      'a token of two',
      { callers: { a: { token: 'long enough' }, b: { token: 'long enough' } } },
      'callers.b.token is the same as that of a.',
    ],
    [
      'a variable that is not set',
      { callers: { a: { token: '${NO}' } } },
      '${NO}, which is not set',
    ],
    [
      'a rate that is none',
      { limits: { caller: { calls: 0, seconds: 1 } } },
      'limits.caller.calls',
    ],
    [
      'an issuer that is none',
      { oauth: { issuer: 'login', audience: 'https://pith.example' } },
      'aggregator.oauth.issuer',
    ],
    [
      'a scope we do not have',
      { oauth: { issuer: 'https://x.example', audience: 'x', scopes: { all: 'y' } } },
      'aggregator.oauth.scopes',
    ],
    [
      'an exporter, which OpenTelemetry has variables for',
      { telemetry: { traces: { url: 'https://x.example', sampleRatio: 0.5 } } },
      /^aggregator\.telemetry\.traces must be true or false.* OTEL_EXPORTER_OTLP_TRACES_ENDPOINT .* OTEL_EXPORTER_OTLP_TRACES_HEADERS.* OTEL_TRACES_SAMPLER_ARG\.$/,
    ],
  ])(
    '%s is named',
    async (_what, settings, message) => await expect(read(settings)).rejects.toThrow(message),
  )

  test('and no token is said', async () => {
    const error = await read({ callers: { a: { token: 'hunter2' } } }).catch(String)
    expect(error).toContain('callers.a.token')
    expect(error).not.toContain('hunter2')
  })

  test('nor a header', async () => {
    const traces = { headers: { authorization: 'hunter2', 'x-count': 5 } }
    const error = await read({ telemetry: { traces } }).catch(String)
    expect(error).toContain('telemetry.traces')
    expect(error).not.toContain('hunter2')
  })
})
