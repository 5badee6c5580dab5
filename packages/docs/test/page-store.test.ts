import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadDriver, type OpenDatabase } from '@pith-mcp/base/sqlite-driver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryPageStore } from '../src/page/cache/memory-page-store.ts'
import { createSqlitePageStore } from '../src/page/cache/sqlite-page-store.ts'
import { describePageStore, pageAt } from './page-store.contract.ts'

let folder: string
let open: OpenDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-test-'))
  open = (await loadDriver()) as OpenDatabase
})
afterAll(() => rm(folder, { recursive: true }))

describePageStore('in memory', async () => createMemoryPageStore())
describePageStore('in SQLite', () =>
  createSqlitePageStore({ open, path: join(folder, `${Math.random()}.sqlite`) }),
)

test('past its bound the pages that were not used longest go', async () => {
  const path = join(folder, 'bounded.sqlite')
  const store = await createSqlitePageStore({ open, path, maxBytes: 40_000 })
  const random = () => Array.from({ length: 500 }, () => Math.random().toString(36)).join(' ')
  for (let at = 0; at < 101; at++) await store.put(pageAt(`http://x/${at}`, random()))
  expect(await store.get('http://x/0')).toBeUndefined()
  expect(await store.get('http://x/100')).toBeDefined()
  store.close()
})
