import fs from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCode } from '@pith-mcp/code'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { rootsOf } from '../src/access/roots.ts'
import { languageOf } from '../src/languages/all-languages.ts'
import { outlineText } from '../src/parse/parse-text.ts'
import { IndexedSearch } from '../src/search/indexed-search.ts'
import { readingsOf } from '../src/search/query-words.ts'
import indexFiles from '../src/symbol-index/index-files.ts'
import { packTable, unpackTable } from '../src/symbol-index/packed-table.ts'
import { readVarints, VarintWriter } from '../src/symbol-index/varints.ts'
import { codeFolder } from './code-folder.ts'
import { fixtures } from './languages/fixtures.ts'

/** Files that changed within the last two seconds are not indexed. */
const clock = Date.now
beforeAll(() => {
  Date.now = () => clock() + 60_000
})
afterAll(() => {
  Date.now = clock
})

const files = {
  'a.ts': 'export function loadAll() {\n  return save()\n}\nexport const LIMIT = 3\n',
  'b.py': 'class Store:\n    size = 1\n    def load_all(self):\n        pass\n',
  'c.ts': 'function binary() {}\0',
}

/** An indexed folder; `reopen` gives what the thread that searches it has. */
async function indexedFolder() {
  const cacheFolder = temporaryFolder(onTestFinished)
  const it = await codeFolder(files, { cacheFolder })
  await it.code.index()
  const folder = join(cacheFolder, 'index')
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.sqlite'))
  const database = join(folder, name)
  return {
    ...it,
    cacheFolder,
    database,
    reopen: () => IndexedSearch.open(rootsOf([it.folder]), 1_000_000, database),
    async [Symbol.asyncDispose]() {
      await it.remove()
    },
  }
}

test('only its owner can read an index, whatever the mode was before', async () => {
  await using it = await indexedFolder()
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777
  expect([await modeOf(dirname(it.database)), await modeOf(it.database)]).toEqual([0o700, 0o600])
  for (const file of await readdir(dirname(it.database)))
    if (/-(?:wal|shm)$/.test(file))
      expect(await modeOf(join(dirname(it.database), file))).toBe(0o600)
})

test('numbers of any size keep their value', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 32 - 1)), (numbers) => {
      const writer = new VarintWriter()
      for (const number of numbers) writer.write(number)
      expect(readVarints(writer.bytes())).toEqual(numbers)
    }),
  )
})

test.each(fixtures)('the outline of %s is the same once it was packed', async (path) => {
  const text = await readFile(new URL(`languages/fixtures/${path}`, import.meta.url), 'utf8')
  const language = languageOf(path, text)
  if (!language) throw new Error(`${path} has no language.`)
  const outcome = await outlineText(text, language, 20_000)
  if ('unparsed' in outcome) throw new Error(outcome.unparsed)
  for (const table of [outcome.symbols, outcome.values])
    expect(unpackTable(packTable(table))).toEqual(table)
})

test('only files that are new or have changed are indexed again, and those gone are forgotten', async () => {
  await using it = await indexedFolder()
  const search = await it.reopen()
  expect(await search.nextBatch(undefined, 'list')).toBeUndefined()
  await it.write('a.ts', 'export function other() {}\n')
  await it.write('d.ts', 'export function added() {}\n')
  await rm(join(it.folder, 'b.py'))
  const batch = await (await it.reopen()).nextBatch(undefined, 'list')
  expect(batch?.files.map(({ path }) => path).toSorted()).toEqual(['a.ts', 'd.ts'])
  expect(batch?.formerIds).toHaveLength(2)
  await it.code.index()
  expect(await (await it.reopen()).nextBatch(undefined, 'list')).toBeUndefined()
  const idsOf = async (query: string) =>
    (await it.code.findFunctions(query)).hits.map(({ id }) => id)
  expect(await idsOf('other')).toEqual(['a.ts#other'])
  expect(await idsOf('load_all')).toEqual([])
})

test('constants and fields are found, with their values', async () => {
  await using it = await indexedFolder()
  const { hits, bodies } = await it.code.findFunctions('LIMIT')
  expect(hits).toMatchObject([{ id: 'a.ts#LIMIT', kind: 'constant', startLine: 4 }])
  expect(bodies.map(({ text }) => text.trim())).toEqual(['export const LIMIT = 3'])
  expect((await it.code.findFunctions('Store/size')).hits).toMatchObject([{ kind: 'field' }])
})

test('a file that is binary is counted, and indexed once', async () => {
  await using it = await indexedFolder()
  expect((await it.code.findFunctions('loadAll')).searched).toBe(3)
  expect((await it.code.findFunctions('binary')).hits).toEqual([])
})

test('an index that is damaged is made again', async () => {
  await using it = await indexedFolder()
  await it.code.close()
  for (const end of ['-wal', '-shm']) await rm(`${it.database}${end}`, { force: true })
  await writeFile(it.database, 'not a database')
  const batch = await (await it.reopen()).nextBatch(undefined, 'list')
  expect(batch?.files).toHaveLength(3)
  const limits = { maxFileBytes: 1_000_000, maxParseBytes: 1_000_000, parseTimeoutMs: 20_000 }
  await indexFiles({
    database: it.database,
    files: [],
    formerIds: [],
    stop: new Int32Array(1),
    hasLong: false,
    ...batch,
    ...limits,
  })
  expect(await (await it.reopen()).nextBatch(undefined, 'list')).toBeUndefined()
})

test('without the right to fill it, the index is read as it is', async () => {
  await using it = await indexedFolder()
  await it.write('d.ts', 'export function added() {}\n')
  const options = { roots: [it.folder], cacheFolder: it.cacheFolder, fillsIndex: false }
  const code = await createCode(options)
  await code.index()
  expect((await code.findFunctions('added')).hits).toMatchObject([{ id: 'd.ts#added' }])
  const batch = await (await it.reopen()).nextBatch(undefined, 'list')
  expect(batch?.files.map(({ path }) => path)).toEqual(['d.ts'])
  await code.close()
})

test('a folder that cannot be written costs the index and nothing else', async () => {
  const it = await codeFolder(files, { cacheFolder: '/dev/null/cache' })
  await it.code.index()
  expect((await it.code.findFunctions('loadAll')).hits).toMatchObject([{ id: 'a.ts#loadAll' }])
  await it.remove()
})

test('a description finds the function, a text its line', async () => {
  await using it = await indexedFolder()
  const described = await it.code.findFunctions('where everything is loaded')
  expect(described).toMatchObject({ match: 'description', hits: [{ id: 'a.ts#loadAll' }, {}] })
  expect(await it.code.findFunctions('return save()')).toMatchObject({
    match: 'text',
    hits: [{ id: 'a.ts#loadAll', startLine: 2, signature: 'return save()' }],
  })
})

test('a listing that takes long is used again where folders are not watched, and the account says from when it is', async () => {
  await using it = await indexedFolder()
  const statfs = vi.spyOn(fs, 'statfsSync').mockReturnValue({ type: 0x6969 } as fs.StatsFs)
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  syncBuiltinESMExports()
  const search = await it.reopen()
  let now = 0
  const time = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 300
    return now
  })
  const searchAgain = () => search.candidates(readingsOf('loadAll'), { waitMs: 1e9 }, () => false)
  try {
    expect((await searchAgain()).account.listedAt).toBeUndefined()
    now += 10_000
    expect((await searchAgain()).account.listedAt).toBeDefined()
    // After the reply, the folders are listed again.
    await nextTurn()
    await expect.poll(async () => (await searchAgain()).account.listedAt).toBeUndefined()
    expect(warned).toHaveBeenCalledOnce()
  } finally {
    for (const each of [time, statfs, warned]) each.mockRestore()
    syncBuiltinESMExports()
  }
})

test('a file that could not be parsed is searched as bytes, and parsed again when it is read', async () => {
  const cacheFolder = temporaryFolder(onTestFinished)
  const strict = await codeFolder(files, { cacheFolder, maxParseBytes: 65 })
  await strict.code.index()
  expect((await strict.code.findFunctions('loadAll')).unparsed).toMatchObject([{ files: 1 }])
  const described = await strict.code.findFunctions('where everything is loaded')
  expect(described.notIndexed).toBeUndefined()
  const code = await createCode({ roots: [strict.folder], cacheFolder })
  expect((await code.findFunctions('loadAll')).hits).toMatchObject([{ id: 'a.ts#loadAll' }])
  await code.close()
  await strict.remove()
})

test('an index that another process has removed is filled again once', async () => {
  await using it = await indexedFolder()
  const search = await it.reopen()
  for (const end of ['', '-wal', '-shm']) await rm(`${it.database}${end}`, { force: true })
  const limits = { maxFileBytes: 1_000_000, maxParseBytes: 1_000_000, parseTimeoutMs: 20_000 }
  const fill = async () => {
    const batch = await search.nextBatch(undefined, 'list')
    const stop = new Int32Array(1)
    if (batch) await indexFiles({ database: it.database, stop, ...batch, ...limits })
    return batch?.files.length ?? 0
  }
  expect(await fill()).toBe(3)
  expect(await fill()).toBe(0)
})

test('a batch that is stopped leaves the index as it is', async () => {
  await using it = await indexedFolder()
  await it.write('d.ts', 'export function added() {}\n')
  const search = await it.reopen()
  const batch = await search.nextBatch(undefined, 'list')
  const limits = { maxFileBytes: 1_000_000, maxParseBytes: 1_000_000, parseTimeoutMs: 20_000 }
  if (!batch) throw new Error('There is nothing to index.')
  await indexFiles({ database: it.database, ...batch, ...limits, stop: new Int32Array([1]) })
  expect((await (await it.reopen()).nextBatch(undefined, 'list'))?.files).toHaveLength(1)
})
