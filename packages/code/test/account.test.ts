import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRoots, rootsOf } from '../src/access/roots.ts'
import { createSourceFiles } from '../src/outline/source-files.ts'
import { createParser } from '../src/parse/parse-pool.ts'
import { timedOut } from '../src/parse/symbol-table.ts'
import { ByteSearch, listSources } from '../src/search/byte-search.ts'
import { listFiles } from '../src/search/list-files.ts'
import { readingsOf } from '../src/search/query-words.ts'
import { codeFolder } from './code-folder.ts'

const withFiles = async (
  files: Record<string, string>,
  options = {},
): Promise<AsyncDisposable & Awaited<ReturnType<typeof codeFolder>>> => {
  const made = await codeFolder(files, options)
  return { ...made, [Symbol.asyncDispose]: () => made.remove() }
}

test('counts files that git ignores, and says that none was searched', async () => {
  await using it = await withFiles({ '.gitignore': '/*\n', 'a.js': 'function hidden() {}' })
  expect(await it.code.findFunctions('hidden')).toMatchObject({ hits: [], searched: 0, ignored: 1 })
  expect(await it.code.findFiles('a.js')).toMatchObject({ files: [], ignored: 1 })
})

test('counts files with words of the query that are not parsed, by reason', async () => {
  await using it = await withFiles(
    {
      'large.py': `def wanted():\n    pass\n${'x = 1\n'.repeat(400)}`,
      'nul.c': 'int wanted(void) { return "\0"[0]; }',
      'other.c': 'int other(void) { return 1; }',
    },
    { maxParseBytes: 2_000 },
  )
  const { hits, unparsed, searched } = await it.code.findFunctions('wanted')
  expect(searched).toBe(3)
  expect(hits).toMatchObject([{ id: 'large.py', signature: 'def wanted():' }])
  expect(unparsed).toEqual([
    { reason: expect.stringContaining('limit for parsing'), files: 1, example: 'large.py' },
    { reason: expect.stringContaining('binary'), files: 1, example: 'nul.c' },
  ])
})

test('a time-out is not kept, and the next question parses again', async () => {
  await using it = await withFiles({ 'slow.js': 'function slow() {}' })
  const roots = await openRoots([it.folder])
  const { parse: parseText, ...others } = createParser({ timeoutMs: 20_000 })
  const outcomes = [{ unparsed: timedOut }]
  const parse: typeof parseText = async (bytes, language) =>
    outcomes.pop() ?? parseText(bytes, language)
  const limits = { maxFileBytes: 1e6, maxParseBytes: 1e6, maxCacheBytes: 1e6 }
  const files = createSourceFiles(roots, { parse, ...others }, limits)
  expect(await files.get('slow.js')).toMatchObject({ unparsed: timedOut, symbols: [] })
  expect((await files.get('slow.js')).symbols).toMatchObject([{ name: 'slow' }])
})

test('counts a file whose parsing times out', async () => {
  await using it = await withFiles(
    { 'slow.js': 'function slow() {}\n'.repeat(20_000) },
    { parseTimeoutMs: 0 },
  )
  expect(await it.code.findFunctions('slow')).toMatchObject({
    match: 'text',
    unparsed: [{ reason: 'parsing timed out', files: 1 }],
  })
})

test('counts folders below the deepest that is read, apart from too many files', async () => {
  await using it = await withFiles({ [`${'d/'.repeat(66)}deep.js`]: 'function deep() {}' })
  expect(await it.code.findFunctions('deep')).toMatchObject({ tooDeep: 1, isCut: false })
  expect(await it.code.findFiles('deep.js')).toMatchObject({ tooDeep: 1, isCut: false })
})

test.skipIf(process.getuid?.() === 0)('counts what cannot be opened', async () => {
  await using it = await withFiles({ 'a.js': 'function a() {}', 'f/b.js': 'function b() {}' })
  await chmod(join(it.folder, 'a.js'), 0)
  await chmod(join(it.folder, 'f'), 0)
  expect(await it.code.findFunctions('zz')).toMatchObject({ unreadable: 2 })
  await chmod(join(it.folder, 'f'), 0o700)
})

test('every failure that a search catches is counted or ends it', async () => {
  const folder = new URL('../src/search/', import.meta.url)
  for (const name of await readdir(folder)) {
    // Without a stamp, the file is read, which fails as well.
    const source = (await readFile(new URL(name, folder), 'utf8')).replace(
      'stampOf(real).catch(() => undefined)',
      '',
    )
    expect(source, name).not.toContain('.catch(')
    for (const [, body = ''] of source.matchAll(/\bcatch[^{\n]*\{([^}]*)\}/g))
      expect(body, name).toMatch(/account\.unreadable\+\+|failed\+\+|throw error/)
  }
})

test('names of files that rules may mean are those that git ignores', async () => {
  const rules = [
    '*.tab.[ch]',
    '/top.js',
    '*.min.*',
    'gen_*.py',
    '!gen_kept.py',
    'a?c.js',
    '\\#*.js',
  ]
  const names = ['x.tab.c', 'top.js', 'x.min.js', 'gen_a.py', 'gen_kept.py', 'abc.js', '#x.js']
  const kept = ['x.tab.cc', 'sub/top.js', 'min.js', 'oxygen_a.py', 'abbc.js', 'x#.js']
  const all = [...names, ...kept].map((name) => [name, ''] as const)
  await using it = await withFiles({ '.gitignore': rules.join('\n'), ...Object.fromEntries(all) })
  const roots = rootsOf([it.folder])
  const listed = listFiles(roots).files.map(roots.nameOf)
  expect(listed.toSorted()).toEqual(['.gitignore', 'gen_kept.py', ...kept].toSorted())
})

test('once 500 files have parts of a name, the others are searched for all of it only', async () => {
  const files = Array.from({ length: 503 }, (_, at) => [`f${at}.c`, 'int hull(int deck);\n'])
  await using it = await withFiles(Object.fromEntries(files))
  const search = new ByteSearch(1_000_000)
  const listing = listSources(rootsOf([it.folder]), { maxFiles: 1_000 }, () => false)
  const { files: found, account } = await search.candidates(
    readingsOf('hull_deck'),
    listing,
    Number.POSITIVE_INFINITY,
    () => false,
  )
  expect([found.length, account.unread]).toEqual([500, 3])
})

test('a repeated search reads only the files that are left, and those that changed', async () => {
  const files = Array.from({ length: 900 }, (_, at) => [
    `f${at}.c`,
    `int f${at}(void) { return 1; }`,
  ])
  await using it = await withFiles(Object.fromEntries(files))
  // Files that changed within the last two seconds are read again.
  const clock = Date.now
  Date.now = () => clock() + 60_000
  try {
    const search = new ByteSearch(1_000_000)
    const readings = readingsOf('f899')
    const searchUntil = async (turns: number) => {
      let left = turns
      const isStopped = () => left-- <= 0
      const listing = listSources(rootsOf([it.folder]), {}, isStopped)
      const { account, files: found } = await search.candidates(
        readings,
        listing,
        60_000,
        isStopped,
      )
      return { unread: account.unread, found: found.length }
    }
    // Some turns are those of the folders.
    const first = await searchUntil(500)
    expect(first.unread).toBeGreaterThan(300)
    expect((await searchUntil(10_000)).unread).toBe(0)
    expect(await searchUntil(10_000)).toEqual({ unread: 0, found: 1 })
    await writeFile(join(it.folder, 'f3.c'), 'int f899(void) { return 2; }')
    expect(await searchUntil(10_000)).toEqual({ unread: 0, found: 2 })
  } finally {
    Date.now = clock
  }
})

test.each([
  ['wanted_box', 'parts'],
  ['small_box', 'name'],
  ['SMALL_BOX', 'name'],
  ['all_bo', 'within'],
  ['small box', 'words'],
  ['small planet', 'parts'],
  ['smell_fox', 'similar'],
])('says what %s is to the names: %s', async (query, match) => {
  await using it = await withFiles({ 'a.c': 'int small_box(void) { return 1; }\n' })
  const found = await it.code.findFunctions(query)
  if (found.hits.length > 0 || match !== 'similar') expect(found.match).toBe(match)
})
