import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryIndex } from '../src/search-index/memory-search-index.ts'
import { createSqliteIndex } from '../src/search-index/sqlite-search-index.ts'
import { loadDriver, type OpenDatabase } from '../src/sqlite/driver.ts'
import { describeSearchIndex, pageOf } from './search-index.contract.ts'

let folder: string
let open: OpenDatabase
let count = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'index-test-'))
  open = (await loadDriver()) as OpenDatabase
})
afterAll(() => rm(folder, { recursive: true }))

const newPath = () => join(folder, `${count++}.sqlite`)

describeSearchIndex('in memory', async () => createMemoryIndex())
describeSearchIndex('in SQLite', () => createSqliteIndex({ open, path: newPath() }))
describeSearchIndex('in SQLite, in memory', () => createSqliteIndex({ open, path: ':memory:' }))

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
