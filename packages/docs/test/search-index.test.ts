import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, loadDriver, type OpenDatabase } from '@pith-mcp/base/sqlite-driver'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { CountCache } from '../src/search-index/count-cache.ts'
import { findCandidates, type Matcher } from '../src/search-index/find-candidates.ts'
import { createMemoryIndex } from '../src/search-index/memory-search-index.ts'
import { createSqliteIndex } from '../src/search-index/sqlite-search-index.ts'
import { describeSearchIndex, pageOf } from './search-index.contract.ts'

const folder = temporaryFolder()
let open: OpenDatabase
let count = 0

beforeAll(async () => {
  open = (await loadDriver()) as OpenDatabase
})

const newPath = () => join(folder, `${count++}.sqlite`)

describeSearchIndex('in memory', async () => createMemoryIndex())
describeSearchIndex('in SQLite', () => createSqliteIndex({ open, path: newPath() }))
describeSearchIndex('in SQLite, in memory', () => createSqliteIndex({ open, path: ':memory:' }))

describe('a question with rare and common words, in a large index', () => {
  const items = {
    usb: 300,
    checkout: 4_000,
    keep: 9_000,
    second: 20_000,
    file: 80_000,
    get: 90_000,
  }
  const words = Object.keys(items).map((term) => [term])

  /** The words of each scored query, of which the index finds that many sections. */
  async function scoredFor(found: number, having: number[]) {
    const scored: string[] = []
    const matches = Array.from({ length: found }, (_, id) => ({ id, page: id, score: -1 }))
    const matcher: Matcher = {
      matches: async (groups, _, __, isScored) => {
        if (!isScored) return having.map((id) => ({ id, page: id, score: id }))
        scored.push(groups.map((terms) => terms.join('|')).join(' '))
        return matches
      },
      sections: async (ids, all) => ids.map((id) => ({ id, all: all.has(id) })) as never,
    }
    const counts = new CountCache({
      version: async () => '',
      totals: async () => ({}) as never,
      itemsWith: async (terms) => terms.map((term) => items[term as keyof typeof items]),
    })
    const sections = await findCandidates(matcher, counts, words, { limit: 40 })
    return { scored, sections }
  }

  test('reads the common words twice at most, since scoring reads every use of a word', async () => {
    const { scored, sections } = await scoredFor(40, [3, 77])
    expect(scored).toEqual([
      'usb|checkout keep|second|file|get',
      'usb checkout',
      'keep second file|get',
    ])
    expect(sections.length).toBe(41)
    expect(sections).toContainEqual({ id: 77, all: true })
  })

  test('asks for all words by score if many sections have them, and for one if few have two', async () => {
    const many = await scoredFor(40, [...Array(41).keys()])
    expect(many.scored[0]).toBe('usb checkout keep second file get')
    const few = await scoredFor(5, [])
    expect(few.scored.slice(3)).toEqual(['usb', 'checkout'])
  })
})

test('what one process wrote another reads at once', async () => {
  const path = newPath()
  const one = await createSqliteIndex({ open, path })
  const two = await createSqliteIndex({ open, path })
  await one.put([pageOf('a', 'Ropes', 'A bowline.')])
  expect(await two.itemsWith(['bowlin'])).toEqual([1])
  expect((await two.totals()).sections).toBe(1)
  await two.put([pageOf('b', 'Knots', 'A bowline.')])
  expect((await one.totals()).sections).toBe(2)
  one.close()
  two.close()
})

test('a page that is put or removed often leaves nothing behind: scores and words are as of one put', async () => {
  const databases: Database[] = []
  const watched: OpenDatabase = (path, options) => {
    const database = open(path, options)
    databases.push(database)
    return database
  }
  const one = await createSqliteIndex({ open: watched, path: ':memory:' })
  const often = await createSqliteIndex({ open: watched, path: ':memory:' })
  const pages = Array.from({ length: 20 }, (_, at) =>
    pageOf(`p${at}`, `Rope ${at % 3}`, `A bowline${' knot'.repeat(at % 5)}`, {
      ...(at % 4 === 0 && { isProposed: true as const }),
    }),
  )
  await one.put(pages)
  for (let times = 0; times < 4; times++) await often.put(pages)
  await often.put([pageOf('q', 'Sails', 'A spar.')])
  await often.remove(['q'])
  const sql = `SELECT bm25(terms) AS score FROM terms WHERE terms MATCH '"knot"' ORDER BY score`
  const [first, second] = databases.map((database) => database.prepare(sql).all())
  expect(first).toHaveLength(16)
  expect(second).toEqual(first)
  expect(await often.termsBeginning('spa', 5)).toEqual([])
})

test('a file that is damaged, or no index, is begun anew and that is told', async () => {
  const path = newPath()
  await writeFile(path, 'This is no database. '.repeat(500))
  const told: string[] = []
  const index = await createSqliteIndex({ open, path, onRebuilt: (file) => told.push(file) })
  await index.put([pageOf('a', 'Ropes', 'A bowline.')])
  expect(await index.itemsWith(['bowlin'])).toEqual([1])
  expect(told).toEqual([path])
  index.close()
})

test('damage that shows only while reading is mended too', async () => {
  const path = newPath()
  const first = await createSqliteIndex({ open, path })
  const many = Array.from({ length: 300 }, (_, at) =>
    pageOf(`p${at}`, `Page ${at}`, 'x'.repeat(900)),
  )
  await first.put(many)
  first.close()
  const { open: openFile } = await import('node:fs/promises')
  const file = await openFile(path, 'r+')
  // All but the first page, which says what the file is.
  const { size } = await file.stat()
  await file.write(Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096)
  await file.close()
  const told: string[] = []
  const index = await createSqliteIndex({ open, path, onRebuilt: (name) => told.push(name) })
  await index.put([pageOf('a', 'Ropes', 'A bowline.')])
  expect((await index.pages()).size).toBe(1)
  expect(told).toEqual([path])
  index.close()
})
