import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { createRegistry } from '../src/registry.ts'
import { ending, listed, notes, npm, startListing, startRegistry } from './registry-world.ts'

const find = (words: string, more: object = {}) => ({
  words: words.split(' '),
  limit: 20,
  isDeprecated: false,
  ...more,
})
const server = (name: string, meta: object = {}, more: object = {}) =>
  listed({ name, packages: [npm()], ...more }, meta)
const namesOf = ({ servers }: { servers: readonly { name: string }[] }) =>
  servers.map(({ name }) => name)

const listing = async (...entries: Parameters<typeof startListing>[0][number][]) => {
  const world = ending(await startListing(entries))
  return { ...world, registry: createRegistry(`${world.url}/`) }
}
const replying = async (reply: (url: URL) => unknown) => {
  const world = ending(await startRegistry({ reply }))
  return { ...world, registry: createRegistry(world.url) }
}

describe('a search', () => {
  test('reads pages of v0.1 until there is enough, and says that there are more', async () => {
    const many = Array.from({ length: 9 }, (_, at) => server(`com.acme/notes-${at}`))
    const { registry, paths } = await listing(...many)
    const first = await registry.search(find('notes', { limit: 3 }))
    expect(namesOf(first)).toEqual(['com.acme/notes-0', 'com.acme/notes-1', 'com.acme/notes-2'])
    expect(first).toMatchObject({ hasMore: true, hidden: 0, unread: 0, problem: undefined })
    expect(paths).toEqual([
      '/v0.1/servers?search=notes&version=latest&limit=50',
      '/v0.1/servers?search=notes&version=latest&limit=50&cursor=2',
    ])
    const all = await registry.search(find('notes'))
    expect([all.servers.length, all.hasMore]).toEqual([9, false])
    // Pages that were read are not read again.
    expect(paths).toHaveLength(5)
  })

  test('sends the longest word, and matches the others itself', async () => {
    const { registry, paths } = await listing(
      server('com.acme/issues', {}, { title: 'Tracker', description: 'Finds ISSUES' }),
      server('com.acme/issues-only'),
    )
    expect(namesOf(await registry.search(find('tracker issues')))).toEqual(['com.acme/issues'])
    expect(paths[0]).toContain('search=tracker&')
  })

  test('leaves deleted and older versions out, and counts deprecated servers', async () => {
    const statusMessage = 'Use notes2.'
    const entries = [
      server('com.acme/notes', { isLatest: false }),
      server('com.acme/notes'),
      server('com.acme/notes1', { status: 'deprecated', statusMessage }),
      server('com.acme/notes0', { status: 'deleted' }),
      server('com.acme/notes', {}, { version: '1.2.1' }),
    ]
    const { registry } = await listing(...entries)
    const hits = await registry.search(find('notes'))
    expect([namesOf(hits), hits.hidden]).toEqual([['com.acme/notes'], 1])
    const all = await registry.search(find('notes', { isDeprecated: true }))
    expect([namesOf(all), all.hidden]).toEqual([['com.acme/notes', 'com.acme/notes1'], 0])
    expect(all.servers[1]).toMatchObject({ status: 'deprecated', statusMessage })
    expect(await registry.get('com.acme/notes0')).toBeUndefined()
  })

  test('lists built-in servers without the registry', async () => {
    const { registry, paths } = await listing()
    const hits = await registry.search({ words: [], limit: 20, isDeprecated: false })
    expect(namesOf(hits)).toEqual([
      'everything',
      'fetch',
      'filesystem',
      'git',
      'memory',
      'sequentialthinking',
      'time',
    ])
    expect(await registry.get('time')).toMatchObject({
      packages: [{ identifier: 'mcp-server-time' }],
    })
    expect(paths).toEqual([])
  })

  test('ends at the first hits of a slow registry, and goes on from there', async () => {
    const now = vi.spyOn(performance, 'now')
    onTestFinished(() => now.mockRestore())
    let clock = 0
    now.mockImplementation(() => clock)
    const entries = Array.from({ length: 40 }, (_, at) =>
      server(`com.acme/${at < 6 ? 'x' : 'notes'}-${at}`, {}, { description: '' }),
    )
    const world = ending(
      await startRegistry({
        reply({ searchParams }) {
          // Each page takes 2 s. The registry ignores what is searched for.
          clock += 2_000
          const at = Number(searchParams.get('cursor') ?? 0)
          return { servers: entries.slice(at, at + 4), metadata: { nextCursor: String(at + 4) } }
        },
      }),
    )
    const registry = createRegistry(world.url)
    const first = await registry.search(find('notes'))
    expect([first.servers.length, first.hasMore, world.paths.length]).toEqual([2, true, 2])
    const second = await registry.search(find('notes'))
    expect([second.servers.length, second.hasMore, world.paths.length]).toEqual([6, true, 3])
    // Without a hit it ends, too.
    clock = 0
    expect(await registry.search(find('nothing'))).toMatchObject({ servers: [], hasMore: true })
    expect(world.paths).toHaveLength(13)
  })
})

describe('a registry may reply', () => {
  test.each<[string, unknown]>([
    ['as the schema of today says', { servers: [notes], metadata: { nextCursor: null } }],
    ['with a bare list', [notes]],
    ['with servers that have no _meta', { servers: [{ server: notes.server }] }],
    ['with bare servers', [notes.server]],
    [
      'in snake_case, as in July 2025',
      {
        servers: [
          {
            server: {
              name: 'com.acme/notes',
              description: 'Keeps notes',
              version_detail: { version: '1.2.0' },
              website_url: null,
              packages: [
                {
                  registry_type: 'npm',
                  identifier: '@acme/notes',
                  version: '1.2.0',
                  runtime_hint: 'npx',
                  package_arguments: [
                    {
                      type: 'positional',
                      value_hint: 'folder',
                      is_required: true,
                      is_repeated: true,
                    },
                  ],
                  environment_variables: [
                    { name: 'NOTES_TOKEN', is_secret: true, is_required: true },
                  ],
                },
              ],
              remotes: [
                {
                  transport_type: 'streamable-http',
                  url: 'https://a.example/{team_id}',
                  variables: { team_id: { is_required: true } },
                },
              ],
            },
            _meta: {
              'io.modelcontextprotocol.registry/official': { is_latest: true, status: 'active' },
            },
          },
        ],
        metadata: { next_cursor: '', count: 1 },
      },
    ],
  ])('%s', async (_, reply) => {
    const { registry } = await replying(() => reply)
    const { servers, unread, hasMore, problem } = await registry.search(find('notes'))
    expect({ unread, hasMore, problem }).toEqual({ unread: 0, hasMore: false, problem: undefined })
    const [entry] = servers
    expect(entry).toMatchObject({
      name: 'com.acme/notes',
      version: '1.2.0',
      packages: [
        {
          registryType: 'npm',
          runtimeHint: 'npx',
          packageArguments: [{ valueHint: 'folder', isRequired: true, isRepeated: true }],
          environmentVariables: expect.arrayContaining([
            expect.objectContaining({ name: 'NOTES_TOKEN', isSecret: true }),
          ]),
        },
      ],
      remotes: [{ type: 'streamable-http' }],
    })
    const variables = Object.keys(entry?.remotes[0]?.variables ?? {})
    expect(['team', 'team_id']).toContain(variables[0])
  })

  test('with the next page in snake_case', async () => {
    const { registry, paths } = await replying(({ searchParams }) =>
      searchParams.has('cursor') ? [] : { servers: [notes], metadata: { next_cursor: 'abc' } },
    )
    await registry.search(find('notes'))
    expect(paths[1]).toContain('cursor=abc')
  })

  test('with entries that are not valid, which are counted', async () => {
    const wrong = [{ server: { name: 7 } }, null, 'x', server('a/notes', {}, { packages: [{}] })]
    const { registry } = await replying(() => ({ servers: [...wrong, notes] }))
    expect(await registry.search(find('notes'))).toMatchObject({ unread: 4, problem: undefined })
  })

  test.each<[string, unknown, RegExp]>([
    ['too much', () => 'x'.repeat(4_000_001), /sent more than 3906 kB/],
    ['no JSON', () => '<html>', /did not reply with JSON/],
    ['nested too deeply', () => '['.repeat(200_000), /did not reply with JSON/],
    ['an error', () => 500, /replied with HTTP status 500/],
    ['that it is gone', () => 410, /replied with HTTP status 410/],
    ['that there is no such API', () => undefined, /does not serve the API v0\.1/],
    [
      'in circles',
      ({ href }: URL) => new URL(href),
      /redirects more than 3 times|cannot be reached/,
    ],
    [
      'by leading into a private network',
      () => new URL('http://10.0.0.1/v0.1/servers'),
      /not an allowed address/,
    ],
    [
      'by leading to cloud metadata',
      () => new URL('http://169.254.169.254/latest'),
      /not an allowed address/,
    ],
    ['by leading to a file', () => new URL('file:///etc/passwd'), /not an allowed address/],
  ])('%s: the built-in servers are listed, and the problem is said', async (_, reply, problem) => {
    const { registry, url } = await replying((asked) => {
      const answer = (reply as (url: URL) => unknown)(asked)
      return answer instanceof URL && answer.host === 'registry.test'
        ? new URL(answer.pathname, url)
        : answer
    })
    const hits = await registry.search(find('time'))
    expect(namesOf(hits)).toEqual(['time'])
    expect(hits.problem).toMatch(problem)
  })
})

test('a public registry cannot lead to this machine', async () => {
  const registry = createRegistry('https://192.0.2.1:1')
  expect((await registry.search(find('notes'))).problem).toBeDefined()
})

test('a server is got by its encoded name and version, and failures are thrown', async () => {
  const { registry, paths } = await listing(notes)
  expect(await registry.get('com.acme/notes')).toMatchObject({ version: '1.2.0' })
  expect(await registry.get('com.acme/notes', '1.2.0')).toBeDefined()
  expect(await registry.get('com.acme/notes', '9.9.9')).toBeUndefined()
  expect(await registry.get('com.acme/other')).toBeUndefined()
  const notesPath = `/v0.1/servers/${encodeURIComponent('com.acme/notes')}`
  expect(paths).toEqual([
    `${notesPath}/versions/latest`,
    `${notesPath}/versions/1.2.0`,
    `${notesPath}/versions/9.9.9`,
    expect.stringMatching(/^.v0\.1.servers.com\.acme%2F/),
  ])
  const failing = await replying(() => 503)
  await expect(failing.registry.get('com.acme/notes')).rejects.toThrow('HTTP status 503')
})

test('a hit is not read again', async () => {
  const { registry, paths } = await listing(notes)
  const [hit] = (await registry.search(find('notes'))).servers
  expect(await registry.get('com.acme/notes', '1.2.0')).toBe(hit)
  expect(paths).toHaveLength(1)
})

test('a file has the same shape', async () => {
  const folder = temporaryFolder(onTestFinished)
  const path = join(folder, 'servers.json')
  const registry = createRegistry(path)
  expect((await registry.search(find('notes'))).problem).toContain('ENOENT')
  writeFileSync(path, JSON.stringify({ servers: [notes] }))
  expect(namesOf(await registry.search(find('notes')))).toEqual(['com.acme/notes'])
  expect(await registry.get('com.acme/notes')).toBeDefined()
  expect(await registry.get('com.acme/notes', '2.0.0')).toBeUndefined()
})
