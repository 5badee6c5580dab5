import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createDocs, type Docs, type DocsOptions } from '@pith-mcp/docs'
import { afterEach, expect, test, vi } from 'vitest'
import { unpack } from '../../fetch/src/archive/unpack.ts'
import { commitOf, type RepositoryFiles, startGitHub, tarball } from './github-stand-in.ts'
import { createProject } from './project-fixture.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends.splice(0).reverse()) await end()
})

const files: RepositoryFiles = {
  'README.md': '# Widgets\n\nTurns cranks.',
  'CHANGELOG.md': '# 4.2\n\nQuieter gears.',
  'docs/guide.md': '# Guide\n\nOil the sprocket. See [more](more.md#top).',
  'docs/more.md': '# More\n\nThe sprocket has teeth.',
  'src/notes.md': '# Notes\n\nInternal remarks.',
  'src/main.c': 'int main;',
}
const home = 'https://github.com/ada/widgets'

async function start(refs: Record<string, RepositoryFiles> = { main: files }) {
  const github = await startGitHub({ default: 'main', refs })
  ends.push(github.close)
  return github
}

async function cacheFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'repositories-'))
  ends.push(() => rm(folder, { recursive: true }))
  return folder
}

async function open(options: DocsOptions): Promise<Docs> {
  const docs = await createDocs({ networks: ['127.0.0.1'], ...options })
  ends.push(docs.close)
  return docs
}

const viaOf = async (docs: Docs, source: string): Promise<string | undefined> =>
  (await docs.search('sprocket', { source })).sources[0]?.via

test('the default branch is read, with its README and change log, and all of that is said', async () => {
  const { api, requests } = await start()
  const docs = await open({ githubApi: api })
  const { hits, sources } = await docs.search('sprocket', { source: home })
  expect(hits.map(({ url }) => url).sort()).toEqual([
    `${home}/blob/main/docs/guide.md#guide`,
    `${home}/blob/main/docs/more.md#more`,
  ])
  expect(sources[0]?.pages).toBe(4)
  expect(sources[0]?.via).toMatch(
    new RegExp(
      `^docs/, README and change log of ada/widgets at main, its default branch, commit ${commitOf(files).slice(0, 7)}, read \\d{4}-\\d\\d-\\d\\d; pages outside: 1$`,
    ),
  )
  const before = requests.length
  const page = await docs.content(`${home}/blob/main/docs/guide.md`)
  expect(page.markdown).toContain('Oil the sprocket')
  expect(page.origin.library).toContain('ada/widgets at main, commit')
  expect(requests).toHaveLength(before)
})

test('a source of the operator is named by its address, or a part of it', async () => {
  const { api } = await start()
  const docs = await open({
    githubApi: api,
    sources: [home],
    only: ['docs.example.org', '127.0.0.1'],
  })
  expect(await viaOf(docs, 'ada/widgets')).toContain('of ada/widgets at main')
  expect((await docs.content(`${home}/blob/main/README.md`)).markdown).toContain('Turns cranks')
})

test('only the allowed hosts are read', async () => {
  const docs = await open({ only: ['docs.example.org'] })
  await expect(docs.search('x', { source: home })).rejects.toThrow(
    '"api.github.com" is not one of the allowed hosts.',
  )
})

test('a ref may have slashes, and a folder follows it', async () => {
  const { api } = await start({
    main: files,
    'fix/gears': { ...files, 'docs/deep/a.md': '# Deep\n\nA sprocket.' },
  })
  const docs = await open({ githubApi: api })
  const { hits, sources } = await docs.search('sprocket', {
    source: `${home}/tree/fix/gears/docs/deep`,
  })
  expect(hits.map(({ url }) => url)).toEqual([`${home}/blob/fix/gears/docs/deep/a.md#deep`])
  expect(sources[0]?.via).toMatch(
    /^docs\/deep\/ of ada\/widgets at fix\/gears, commit .*; pages outside: 5$/,
  )
  await expect(docs.search('x', { source: `${home}/tree/main/absent` })).rejects.toThrow(
    'ada/widgets at main has no pages in the folder "absent".',
  )
})

test('a ref that does not exist is an error with the nearest tags, and nothing else is read', async () => {
  const { api, requests } = await start({ main: files, 'tags/v4.2.0': files, 'tags/v1.0.0': files })
  const docs = await open({ githubApi: api })
  const failure = docs.search('x', { source: `${home}/tree/v4.2.1` })
  await expect(failure).rejects.toMatchObject({
    code: 'not_found',
    message: 'ada/widgets has no branch, tag or commit "v4.2.1".',
    remedy: expect.stringContaining('Nearest tags: v4.2.0'),
  })
  expect(requests.map(({ path }) => path)).toEqual([
    '/repos/ada/widgets/commits/v4.2.1',
    '/repos/ada/widgets/tags?per_page=100',
  ])
})

test('after a restart the commit is revalidated, and its archive is not fetched again', async () => {
  const github = await start()
  const folder = await cacheFolder()
  const first = await open({ githubApi: github.api, cacheFolder: folder })
  await viaOf(first, home)
  await first.close()
  const before = github.requests.length
  const second = await open({ githubApi: github.api, cacheFolder: folder })
  expect(await viaOf(second, home)).toContain('at main')
  await viaOf(second, home)
  const later = github.requests.slice(before)
  expect(later.map(({ path }) => path)).toEqual([
    '/repos/ada/widgets',
    '/repos/ada/widgets/commits/main',
  ])
  expect(later[1]?.validator).toMatch(/^W\/"/)
  const changed = { ...files, 'docs/more.md': '# More\n\nThe sprocket lost its teeth.' }
  github.branches.refs['main'] = changed
  await second.close()
  const third = await open({ githubApi: github.api, cacheFolder: folder })
  expect(await viaOf(third, home)).toContain(`commit ${commitOf(changed).slice(0, 7)}`)
  const { markdown } = await third.content(`${home}/blob/main/docs/more.md`)
  expect(markdown).toContain('lost its teeth')
})

test.each<[status: number, headers: Record<string, string>, message: string]>([
  [
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4102444800' },
    'API rate limit exceeded for 192.0.2.1.',
  ],
  [
    429,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4102444800' },
    'API rate limit exceeded',
  ],
  [
    403,
    { 'retry-after': `${Math.round((4_102_444_800_000 - Date.UTC(2026, 10, 1)) / 1000)}` },
    'You have exceeded a secondary rate limit.',
  ],
])(
  'limited by %i %o: the end is said, and the kept copy is served',
  async (status, headers, message) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 1) })
    const github = await start()
    const folder = await cacheFolder()
    const first = await open({ githubApi: github.api, cacheFolder: folder })
    await viaOf(first, home)
    await first.close()
    github.answer = (response) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ message }))
    const second = await open({ githubApi: github.api, cacheFolder: folder })
    expect(await viaOf(second, home)).toMatch(
      /at main, its default branch, commit \w{7}, read 2026-11-01; pages outside: 1; kept copy: GitHub's limit of requests is used up until 2100-01-01T00:00Z$/,
    )
    const before = github.requests.length
    await expect(second.search('x', { source: `${home}/tree/other` })).rejects.toMatchObject({
      message: "GitHub's limit of requests is used up until 2100-01-01T00:00Z.",
      remedy: expect.stringContaining('api.github.com'),
    })
    expect(github.requests).toHaveLength(before)
  },
)

test('offline the kept copy is served, and nothing else', async () => {
  const github = await start()
  const folder = await cacheFolder()
  const first = await open({ githubApi: github.api, cacheFolder: folder })
  await viaOf(first, home)
  await first.close()
  const docs = await open({ githubApi: github.api, cacheFolder: folder, offline: true })
  expect(await viaOf(docs, home)).toContain('at main')
  await expect(docs.search('x', { source: `${home}/tree/other` })).rejects.toMatchObject({
    code: 'offline',
  })
})

test('a private or absent repository asks for a token, which no other host gets and no error shows', async () => {
  const { api, requests } = await start()
  const headers = { [new URL(api).host]: { authorization: 'Bearer SECRET' } }
  const docs = await open({ githubApi: api, headers })
  await expect(docs.search('x', { source: 'https://github.com/ada/absent' })).rejects.toMatchObject(
    {
      code: 'not_found',
      message: 'GitHub has no repository "ada/absent", or it is private.',
      remedy: expect.stringContaining('"authorization": "Bearer TOKEN"'),
    },
  )
  await viaOf(docs, home)
  expect(new Set(requests.map(({ host, authorization }) => `${host} ${authorization}`))).toEqual(
    new Set(['api Bearer SECRET', 'codeload undefined']),
  )
})

test.each<[bytes: Promise<Buffer>, problem: string]>([
  [Promise.resolve(Buffer.from('no archive')), 'could not be unpacked'],
  [Promise.resolve(Buffer.alloc(0)), 'could not be fetched (status 500)'],
])(
  'an archive that fails is an error without paths and signed addresses',
  async (bytes, problem) => {
    const github = await start()
    github.archive = () => bytes
    const docs = await open({ githubApi: github.api })
    const failure = await docs.search('x', { source: home }).catch((error: Error) => error)
    expect(String(failure)).toContain(`The archive of ada/widgets ${problem}`)
    expect(inspect(failure)).not.toMatch(/SIGNED|tmp\/pith/)
  },
)

test('links, names that lead outside and files that are not pages stay in the archive', async () => {
  const github = await start()
  github.archive = (top, all) =>
    tarball(top, { ...all, '../../../escape.md': '# Escape\n\nA sprocket.' }, [
      { name: `${top}/docs/link.md`, type: 'symlink', linkname: '/etc/passwd' },
      { name: `${top}/docs/hard.md`, type: 'link', linkname: `${top}/README.md` },
    ])
  const folder = await cacheFolder()
  const docs = await open({ githubApi: github.api, cacheFolder: folder })
  const { hits } = await docs.search('sprocket', { source: home })
  expect(hits).toHaveLength(2)
  const all = await readdir(folder, { recursive: true })
  const names = all.map((path) => path.replace(/^.*\//, ''))
  expect(names).toContain('guide.md')
  expect(names.filter((name) => /escape|link|hard|main\.c|tar/.test(name))).toEqual([])
  for (const path of ['..%2F..%2Fx.md', 'docs/link.md', 'src/main.c'])
    await expect(docs.content(`${home}/blob/main/${path}`)).rejects.toThrow(/github\.com/)
})

test('an archive is bounded by what it unpacks to, whatever of it is read', async () => {
  const folder = await cacheFolder()
  const bomb = join(folder, 'bomb.tar.gz')
  await writeFile(
    bomb,
    gzipSync(gunzipSync(await tarball('top', { 'zeros.bin': '0'.repeat(2 ** 21) }))),
  )
  await expect(unpack(bomb, join(folder, 'into'), 2 ** 20)).rejects.toMatchObject({
    code: 'too_large',
  })
  expect(await readdir(join(folder, 'into'))).toEqual([])
  expect((await stat(await unpack(bomb, join(folder, 'into'), 2 ** 22))).isDirectory()).toBe(true)
})

test('an archive that was removed from the cache is fetched again', async () => {
  const { api, requests } = await start()
  const folder = await cacheFolder()
  const docs = await open({ githubApi: api, cacheFolder: folder })
  await viaOf(docs, home)
  await rm(join(folder, 'archives'), { recursive: true })
  expect(await viaOf(docs, home)).toContain('pages outside: 1')
  expect(requests.filter(({ host }) => host === 'codeload')).toHaveLength(2)
})

test('the archives that were fetched last are kept', async () => {
  const names = Array.from({ length: 22 }, (_, at) => `r${at}`)
  const refs = names.map((name) => [name, { 'docs/a.md': `# ${name}` }] as const)
  const { api } = await start(Object.fromEntries(refs))
  const folder = await cacheFolder()
  const docs = await open({ githubApi: api, cacheFolder: folder })
  for (const name of names) await viaOf(docs, `${home}/tree/${name}`)
  expect(await readdir(join(folder, 'archives/github'))).toHaveLength(20)
})

test('pages beyond the limit are announced', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [`docs/page${at}.md`, `# Page ${at}\n\nsprocket`]),
  )
  const { api } = await start({ main: many })
  const docs = await open({ githubApi: api, maxPages: 5 })
  const { sources } = await docs.search('sprocket', { source: home })
  expect(sources[0]).toMatchObject({ more: true, pages: 5 })
  expect(sources[0]?.via).toContain('pages outside: 4')
})

test.each<[tag: string, repository: string | object]>([
  ['@ada/widgets@4.2.1', 'github:ada/widgets'],
  ['v4.2.1', { type: 'git', url: 'git+https://github.com/ada/widgets.git' }],
  ['4.2.1', 'ada/widgets'],
  ['@ada/widgets-v4.2.1', 'git@github.com:ada/widgets.git'],
  ['packages/core/v4.2.1', { url: 'https://github.com/ada/widgets', directory: 'packages/core' }],
])('repository:NAME reads the tag %s of %o', async (tag, repository) => {
  const tagged = { ...files, 'packages/core/docs/core.md': '# Core\n\nA sprocket of the core.' }
  const { api } = await start({ main: files, [`tags/${tag}`]: tagged })
  const project = await createProject({
    'package.json': { dependencies: { '@ada/widgets': '^4' } },
    'node_modules/@ada/widgets/package.json': {
      name: '@ada/widgets',
      version: '4.2.1',
      repository,
    },
  })
  ends.push(project.remove)
  const docs = await open({ githubApi: api, project: { folder: project.folder } })
  const { hits, sources } = await docs.search('sprocket', { source: 'repository:@ada/widgets' })
  expect(sources[0]?.via).toContain(` of ada/widgets at ${tag}, commit`)
  const isMember = typeof repository === 'object' && 'directory' in repository
  expect(hits[0]?.url).toContain(`${home}/blob/${encodeURI(tag).replaceAll('@', '%40')}/`)
  expect(hits.some(({ url }) => url.includes('packages/core/docs/core.md'))).toBe(isMember)
})

test('a package without a tag of its version is an error with all that were tried', async () => {
  const { api, requests } = await start({ main: files, 'tags/v4.0.0': files })
  const project = await createProject({
    'package.json': { dependencies: { widgets: '^4' } },
    'node_modules/widgets/package.json': {
      name: 'widgets',
      version: '4.2.1',
      repository: 'ada/widgets',
    },
    'node_modules/cogs/package.json': { name: 'cogs', version: '1.0.0' },
  })
  ends.push(project.remove)
  const docs = await open({ githubApi: api, project: { folder: project.folder } })
  await docs.search('crank', { source: 'widgets' }).catch(() => {})
  expect(requests).toEqual([])
  await expect(docs.search('x', { source: 'repository:widgets' })).rejects.toMatchObject({
    message:
      'ada/widgets has no branch, tag or commit "widgets@4.2.1" or "v4.2.1" or "4.2.1" or "widgets-v4.2.1".',
    remedy: expect.stringContaining('v4.0.0'),
  })
  await expect(docs.search('x', { source: 'repository:cogs' })).rejects.toThrow(
    'The manifest of "cogs" names no repository on GitHub.',
  )
})

test('a Python package names its repository in its metadata, not in its README', async () => {
  const { api } = await start({ main: files, 'tags/4.2.1': files })
  const metadata = [
    'Name: widgets',
    'Project-URL: Documentation, https://docs.example.org/',
    'Project-URL: Source, https://github.com/ada/widgets',
    '',
    'Home-page: https://github.com/ada/other',
  ].join('\n')
  const site = '.venv/lib/python3.12/site-packages'
  const project = await createProject({
    'pyproject.toml': '[project]\ndependencies = ["widgets"]\n',
    [`${site}/widgets-4.2.1.dist-info/METADATA`]: metadata,
    [`${site}/widgets-4.2.1.dist-info/RECORD`]: '',
  })
  ends.push(project.remove)
  const docs = await open({ githubApi: api, project: { folder: project.folder } })
  expect(await viaOf(docs, 'repository:widgets')).toContain('of ada/widgets at 4.2.1')
})

test.each([
  'https://github.com/ada/widgets/tree/..%2f..%2f..%2fuser',
  'https://github.com/ada/widgets/issues/4',
  'https://github.com/topics/widgets',
])('%s is no repository, and is not asked of the API', async (source) => {
  const { api, requests } = await start()
  const docs = await open({ githubApi: api, only: ['127.0.0.1'] })
  await expect(docs.search('x', { source })).rejects.toThrow('"github.com" is not one of')
  expect(requests).toEqual([])
})
