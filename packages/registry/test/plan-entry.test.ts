import { readConfig } from '@pith-mcp/aggregator'
import { describe, expect, test } from 'vitest'
import { describeChoice, launchOf, planEntry, type Values } from '../src/plan-entry.ts'
import { readReply } from '../src/registry-entry.ts'
import { notes, npm } from './registry-world.ts'

const referenceTo = (name: string): string => `\${keychain:pith/${name}}`

/** The choices of a server.json. */
function choicesFrom(server: object) {
  const { entries, unread } = readReply({ name: 'com.acme/notes', ...server })
  expect(unread).toBe(0)
  const [entry] = entries
  return entry ? [...entry.packages, ...entry.remotes] : []
}

function planFor(server: object, values: Values = {}, index = 0) {
  const choice = choicesFrom(server)[index]
  if (choice === undefined) throw new Error('no such choice')
  expect(describeChoice(choice).refusal).toBeUndefined()
  return planEntry(choice, values, 'notes', { referenceTo })
}

const pack = (registryType: string, more: object = {}) => ({
  packages: [
    { ...npm('notes'), registryType, registryBaseUrl: undefined, runtimeHint: undefined, ...more },
  ],
})
const positional = (value: string) => ({ type: 'positional', value })
const env = { environmentVariables: [{ name: 'LEVEL', default: 'info' }] }

describe('a package becomes a command', () => {
  test.each<[string, object, Values, string]>([
    ['npm', pack('npm'), {}, 'npx -y notes@1.2.0'],
    ['npm without a version', pack('npm', { version: undefined }), {}, 'npx -y notes'],
    [
      'npm with -y of its own',
      pack('npm', {
        runtimeHint: 'npx',
        runtimeArguments: [positional('-y'), positional('--quiet')],
      }),
      {},
      'npx -y --quiet notes@1.2.0',
    ],
    [
      'npm with arguments',
      pack('npm', { packageArguments: [positional('serve')] }),
      {},
      'npx -y notes@1.2.0 serve',
    ],
    ['pypi', pack('pypi', { runtimeHint: 'uvx' }), {}, 'uvx notes@1.2.0'],
    ['pypi with variables', pack('pypi', env), {}, 'uvx notes@1.2.0\nLEVEL=info'],
    ['nuget', pack('nuget'), {}, 'dnx notes@1.2.0 --yes'],
    [
      'nuget with arguments',
      pack('nuget', { packageArguments: [positional('mcp'), positional('start')] }),
      {},
      'dnx notes@1.2.0 --yes -- mcp start',
    ],
    [
      'oci with its tag',
      pack('oci', { identifier: 'ghcr.example/acme/notes:2', version: undefined }),
      {},
      'docker run -i --rm ghcr.example/acme/notes:2',
    ],
    [
      'oci with a tag and a version',
      pack('oci', { identifier: 'acme/notes:2' }),
      {},
      'docker run -i --rm acme/notes:2',
    ],
    [
      'oci with a version',
      pack('oci', { identifier: 'acme/notes' }),
      {},
      'docker run -i --rm acme/notes:1.2.0',
    ],
    [
      'oci with a port in the host',
      pack('oci', { identifier: 'images.example:5000/notes' }),
      {},
      'docker run -i --rm images.example:5000/notes:1.2.0',
    ],
    [
      'oci elsewhere',
      pack('oci', { identifier: 'acme/notes', registryBaseUrl: 'https://images.example' }),
      {},
      'docker run -i --rm images.example/acme/notes:1.2.0',
    ],
    [
      'oci by podman, with variables and a mount',
      pack('oci', {
        ...env,
        runtimeHint: 'podman',
        runtimeArguments: [
          positional('run'),
          { type: 'named', name: '--rm' },
          {
            type: 'named',
            name: '--mount',
            value: 'type=bind,src={source},dst={target}',
            isRepeated: true,
            isRequired: true,
            variables: {
              source: { format: 'filepath', isRequired: true },
              target: { default: '/project' },
            },
          },
        ],
      }),
      { source: ['/a', '/b'], target: ['/project/a', '/project/b'] },
      'podman run -i --rm --mount type=bind,src=/a,dst=/project/a --mount type=bind,src=/b,dst=/project/b -e LEVEL notes:1.2.0\nLEVEL=info',
    ],
    [
      'named arguments, of which some have no value',
      pack('npm', {
        packageArguments: [
          { type: 'named', name: '--stdio' },
          { type: 'named', name: '--port', description: 'Port', format: 'number' },
          { type: 'named', name: '--host', description: 'Host', default: 'localhost' },
          { type: 'named', name: '--offset', description: 'Offset', format: 'number' },
          { type: 'named', name: '--verbose', format: 'boolean' },
          { type: 'named', name: '--dry', format: 'boolean' },
        ],
      }),
      { '--offset': ['-5'], '--verbose': ['true'], '--dry': ['false'] },
      'npx -y notes@1.2.0 --stdio --host localhost --offset=-5 --verbose',
    ],
    [
      'an empty value leaves an input out',
      pack('npm', {
        packageArguments: [
          { type: 'named', name: '--host', description: 'Host', default: 'localhost' },
        ],
      }),
      { '--host': [''] },
      'npx -y notes@1.2.0',
    ],
    [
      'braces without a variable stay, and nothing is a shell line',
      pack('npm', { packageArguments: [positional('{x};rm -rf ~ $(id)')] }),
      {},
      'npx -y notes@1.2.0 "{x};rm -rf ~ $(id)"',
    ],
  ])('%s', (_, server, values, launch) => {
    const { entry, problems } = planFor(server, values)
    expect(problems).toEqual([])
    expect(launchOf(entry)).toBe(launch)
  })

  test.each([
    ['mcpb', pack('mcpb', { fileSha256: 'a'.repeat(64) }), /bundle/],
    ['another type', pack('cargo'), /type cargo/],
    [
      'a server over HTTP',
      pack('npm', { transport: { type: 'sse', url: 'http://localhost:{port}' } }),
      /Start it yourself/,
    ],
    ['another program', pack('npm', { runtimeHint: 'bash' }), /started by bash/],
    [
      'another place',
      pack('npm', { registryBaseUrl: 'https://packages.example' }),
      /packages\.example/,
    ],
    ['another protocol', { remotes: [{ type: 'grpc', url: 'https://a.example' }] }, /grpc/],
  ])('%s is refused with the reason', (_, server, reason) => {
    const [choice] = choicesFrom(server)
    expect(choice && describeChoice(choice).refusal).toMatch(reason)
  })

  test.each(['--registry=https://evil.example', 'a b', ''])('%j is not a package', (identifier) => {
    expect(readReply({ name: 'a/b', ...pack('npm', { identifier }) })).toMatchObject({ unread: 1 })
  })
})

describe('a remote becomes a URL', () => {
  test('with variables and headers; a part of a secret header is secret and required too', () => {
    const { entry, inputs, secrets, problems } = planFor(
      notes,
      { team: ['blue'], token: ['${TOKEN}'] },
      1,
    )
    expect(inputs).toMatchObject([
      { name: 'team', isRequired: true, isSecret: false },
      { name: 'token', isRequired: true, isSecret: true, description: 'Token' },
    ])
    expect([secrets, problems]).toEqual([{}, []])
    expect(entry).toEqual({
      url: 'https://blue.notes.example/mcp',
      headers: { Authorization: 'Bearer ${TOKEN}' },
    })
    expect(launchOf(entry)).toBe('https://blue.notes.example/mcp\nAuthorization: Bearer ${TOKEN}')
  })

  test('an optional header without a value is left out, and SSE is said', () => {
    const headers = [{ name: 'X-Key', value: 'k={k}', variables: { k: {} } }]
    const remotes = [{ type: 'sse', url: 'https://a.example/sse', headers }]
    expect(planFor({ remotes }).entry).toEqual({ type: 'sse', url: 'https://a.example/sse' })
  })

  test.each([
    ['https://a.example/mcp', 'a.example'],
    ['https://good.example@evil.example/mcp', 'evil.example'],
    ['https://evil.example\\@good.example/mcp', 'evil.example'],
    ['https://{team}.a.example/mcp', '{team}.a.example'],
    ['{base}/mcp', 'an address that you enter'],
  ])('%s says who gets the calls', (url, host) => {
    const [choice] = choicesFrom({ remotes: [{ type: 'streamable-http', url }] })
    expect(choice && describeChoice(choice).effect).toBe(`Sends your calls to ${host}`)
  })
})

describe('values', () => {
  const { server } = notes
  test('that are secret are never in the entry, unless they are references', () => {
    const clear = planFor(server, { folder: ['/n'], NOTES_TOKEN: ['hush-hush'] })
    expect(clear.entry['env']).toEqual({
      NOTES_TOKEN: '${keychain:pith/notes.NOTES_TOKEN}',
      NOTES_LEVEL: 'info',
    })
    expect(clear.secrets).toEqual({ 'notes.NOTES_TOKEN': 'hush-hush' })
    const half = planFor(server, { folder: ['/n'], NOTES_TOKEN: ['hush-hush${X}'] })
    expect(JSON.stringify(half.entry)).not.toContain('hush-hush')
    const reference = planFor(server, { folder: ['/n'], NOTES_TOKEN: ['${file:/run/token}'] })
    expect(reference.entry['env']).toMatchObject({ NOTES_TOKEN: '${file:/run/token}' })
    expect(reference.secrets).toEqual({})
  })

  test('are secret also by the name of their input', () => {
    const environmentVariables = [{ name: 'ACME_API_KEY' }, { name: 'TOKENS_PER_PAGE' }]
    const values = { ACME_API_KEY: ['hush-hush'], TOKENS_PER_PAGE: ['5'] }
    const { entry, secrets } = planFor(pack('npm', { environmentVariables }), values)
    expect(secrets).toEqual({ 'notes.ACME_API_KEY': 'hush-hush' })
    expect(entry['env']).toMatchObject({ TOKENS_PER_PAGE: '5' })
  })

  test.each<[string, Values, string[]]>([
    ['missing', {}, ['NOTES_TOKEN is required.', 'folder is required.']],
    [
      'not one of the choices',
      { folder: ['/n'], NOTES_TOKEN: ['${T}'], NOTES_LEVEL: ['loud'] },
      ['NOTES_LEVEL must be one of info, debug.'],
    ],
    [
      'too many',
      {
        folder: ['/n', '/m'],
        NOTES_TOKEN: ['${T}'],
        NOTES_LEVEL: ['info', 'debug'],
      },
      ['NOTES_LEVEL takes one value.'],
    ],
    [
      'of no input',
      { folder: ['/n'], NOTES_TOKEN: ['${T}'], FOLDER: ['/n'] },
      ['There is no input FOLDER. Inputs: NOTES_TOKEN, NOTES_LEVEL, folder.'],
    ],
  ])('that are %s are said', (_, values, problems) => {
    expect(planFor(server, values).problems).toEqual(problems)
  })

  test.each([
    ['number', '12a', 'must be a number'],
    ['boolean', 'yes', 'must be true or false'],
  ])('of the format %s are checked', (format, value, problem) => {
    const environmentVariables = [{ name: 'A', format }]
    const { problems } = planFor(pack('npm', { environmentVariables }), { A: [value] })
    expect(problems).toEqual([`A ${problem}.`])
  })

  const attack = '${command:touch /tmp/x}'
  test.each<[string, object, Values]>([
    ['a constant', { value: attack }, {}],
    ['a default', { default: attack }, {}],
    ['a default that a form sends back', { default: attack }, { A: [attack] }],
    ['a choice', { choices: [attack] }, { A: [attack] }],
    [
      'a constant around a default',
      { value: '${x}{y}', variables: { x: { default: attack }, y: { default: '{z}' } } },
      {},
    ],
    [
      'a dollar before a default',
      { value: '${x}', variables: { x: { default: '{command:touch /tmp/x}' } } },
      {},
    ],
    [
      'a dollar before a value',
      { value: 'a${x}', variables: { x: {} } },
      { x: ['{command:touch /tmp/x}'] },
    ],
  ])('%s of a registry is never a reference', async (_, field, values) => {
    const { entry } = planFor(
      pack('npm', { environmentVariables: [{ name: 'A', ...field }] }),
      values,
    )
    const { servers } = await readConfig(JSON.stringify({ mcpServers: { a: entry } }), {})
    const [server] = servers
    expect(server?.problem).toBeUndefined()
    const text = server?.type === 'stdio' ? server.env['A'] : ''
    // U+0000 marks what would be looked up.
    expect(text).not.toContain('\0')
    expect(text).toContain('command:touch')
  })
})

const variable = (name: string, value = 'x') => ({ environmentVariables: [{ name, value }] })
const named = (name: string, value?: string) => ({ type: 'named', name, ...(value && { value }) })
const runtime = (...runtimeArguments: object[]) => ({ runtimeArguments })
const remote = (url: string, more: object = {}) => ({
  remotes: [{ type: 'streamable-http', url, ...more }],
})

describe('what a stranger wrote', () => {
  test.each<[string, object]>([
    ...['https://evil.example/x.tgz', 'git+ssh://evil/x', 'evil/repo', 'file:/tmp/x', '../x'].map(
      (identifier): [string, object] => [identifier, pack('npm', { identifier })],
    ),
    ...['good@npm:evil', 'a$(id)', 'good@latest', '@evil', 'x;y'].map(
      (identifier): [string, object] => [identifier, pack('npm', { identifier })],
    ),
    ...['*', '^1.0.0', 'latest', 'https://evil.example/x.tgz', '1.x', 'npm:evil@1.0.0'].map(
      (version): [string, object] => [version, pack('npm', { version })],
    ),
    ['an extra of PyPI', pack('pypi', { identifier: 'good[evil]' })],
    ['a direct reference of PyPI', pack('pypi', { identifier: 'good@https' })],
    ['a range of PyPI', pack('pypi', { version: '1.*' })],
    [
      'an option for an image',
      pack('oci', { identifier: 'evil/x --privileged'.replace(' ', '=') }),
    ],
    ['a name with a line break', pack('npm', variable('B\nC'))],
    ['a name with =', pack('npm', variable('A=B'))],
    ['another place', pack('npm', { registryBaseUrl: 'https://npm.evil.example/' })],
    ['a name like the usual place', pack('npm', { registryBaseUrl: 'https://evil-npmjs.org/' })],
    [
      'the usual place without TLS',
      pack('npm', { registryBaseUrl: 'http://a.npmjs.org.example/' }),
    ],
    [
      'a header with a line break',
      remote('https://a.example', { headers: [{ name: 'X', value: 'a\r\nB: c' }] }),
    ],
  ])('is refused: %s', (_, server) => {
    const { entries, unread } = readReply({ name: 'com.acme/notes', ...server })
    const choices = entries.flatMap(({ packages, remotes }) => [...packages, ...remotes])
    const refusals = choices.map((choice) => describeChoice(choice).refusal)
    expect(unread === 1 || refusals.every((refusal) => refusal !== undefined)).toBe(true)
  })

  test.each<[string, object, RegExp]>([
    ['a shell of npx', pack('npm', runtime(positional('-c'), positional('id'))), /"-c" "id"/],
    [
      'another registry',
      pack('npm', runtime(named('--registry', 'http://evil.example'))),
      /"--registry"/,
    ],
    [
      'options of Node',
      pack('npm', runtime(named('--node-options=--require=/x.js'))),
      /node-options/,
    ],
    [
      'another index',
      pack('pypi', runtime(named('--index-url', 'http://evil.example'))),
      /"--index-url"/,
    ],
    ['another package', pack('pypi', runtime(named('--with', 'evil'))), /"--with" "evil"/],
    ['privileges', pack('oci', runtime(named('--privileged'))), /"--privileged"/],
    ['a mount', pack('oci', runtime(named('-v', '/:/host'))), /"-v" "\/:\/host"/],
    ['the network of the host', pack('oci', runtime(named('--network=host'))), /"--network=host"/],
    ...[
      'NODE_OPTIONS',
      'LD_PRELOAD',
      'PATH',
      'npm_config_registry',
      'PYTHONPATH',
      'HTTPS_PROXY',
    ].map((name): [string, object, RegExp] => [
      name,
      pack('npm', variable(name)),
      new RegExp(`sets ${name}`),
    ]),
    ['control characters', pack('npm', variable('A', 'x\u001b[2J')), /control characters/],
    ['a direction', pack('npm', variable('A', 'x\u202eabc')), /invisible/],
    ['no version', pack('npm', { version: undefined }), /names no version/],
    ['a metadata service', remote('http://169.254.169.254/latest'), /address of your machine/],
    ['this machine', remote('http://localhost:8080/mcp'), /address of your machine/],
    [
      'a user before the host',
      remote('https://good.example@evil.example/mcp'),
      /has a user, good.example/,
    ],
  ])('is accepted by a person first: %s', (_, server, risk) => {
    expect(planFor(server).risks.join(' ')).toMatch(risk)
  })

  test.each<[string, object]>([
    ['a package', pack('npm')],
    ['a scoped package', pack('npm', { identifier: '@acme/notes-mcp', version: '1.2.0-beta.1' })],
    ['quiet', pack('npm', runtime(named('-y'), named('--quiet')))],
    [
      'a version of Python',
      pack('pypi', { ...runtime(named('--python', '3.12')), version: '1.2.0rc1' }),
    ],
    ['an image', pack('oci', { identifier: 'ghcr.example/acme/notes:1.2', version: undefined })],
    ['variables of an image', pack('oci', runtime(named('-e', 'TOKEN'), named('--name=notes')))],
    ['usual variables', pack('npm', variable('NODE_ENV', 'production'))],
    ['a remote', remote('https://mcp.acme.example/mcp')],
  ])('is usual: %s', (_, server) => {
    expect(planFor(server).risks).toEqual([])
  })

  test('a container with access to the machine is not called one', () => {
    const of = (server: object) => describeChoice(choicesFrom(server)[0] as never).effect
    expect(of(pack('oci'))).toBe('Runs in a container on the machine of the aggregator')
    expect(of(pack('oci', runtime(named('-v', '/:/host'))))).toContain('with access to what is on')
  })

  test('no line of a plan is forged', () => {
    const { entry } = planFor(pack('npm', variable('A', 'x\nhttps://good.example\u202e\u001b[2J')))
    expect(launchOf(entry).split('\n')).toHaveLength(2)
    expect(launchOf(entry)).toContain('x\\u{A}https://good.example\\u{202E}\\u{1B}[2J')
  })
})
