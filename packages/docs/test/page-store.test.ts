import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { loadDriver, type OpenDatabase } from '@pith-mcp/base/sqlite-driver'
import { createDocs } from '@pith-mcp/docs'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { createMemoryPageStore } from '../src/page/cache/memory-page-store.ts'
import { unpackPage } from '../src/page/cache/packed-page.ts'
import { createSqlitePageStore } from '../src/page/cache/sqlite-page-store.ts'
import { startSite } from './loopback-site.ts'
import { describePageStore } from './page-store.contract.ts'

const folder = temporaryFolder()
let open: OpenDatabase
beforeAll(async () => {
  open = (await loadDriver()) as OpenDatabase
})

describePageStore('in memory', async () => createMemoryPageStore(), false)
describePageStore('in SQLite', (options) =>
  createSqlitePageStore({ open, path: join(folder, `${Math.random()}.sqlite`), ...options }),
)

/** All that the databases in a folder have, with pages unpacked. */
async function textsBelow(path: string): Promise<string> {
  const names = (await readdir(path, { recursive: true })).filter((name) => /sqlite$/.test(name))
  const rows = names.flatMap((name) => {
    const database = open(join(path, name), { readOnly: true })
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE name = 'stored_page'")
      .all()
    const pages = tables.flatMap(() => database.prepare('SELECT kept FROM stored_page').all())
    database.close()
    return pages
  })
  return rows.map(({ kept }) => JSON.stringify(unpackPage(kept as Uint8Array))).join('\n')
}

test('no header that an operator configured is stored, nor a cookie that a site sets', async () => {
  const cacheFolder = join(folder, 'secrets')
  let requests = 0
  const site = await startSite({
    '/p.html': (_, response) => {
      requests++
      response.writeHead(200, {
        'content-type': 'text/html',
        'cache-control': 'private, max-age=600',
        'set-cookie': 'session=FROM-SITE',
        vary: 'Authorization, X-Key, Accept',
      })
      response.end('<main><h1>Page</h1><p>Of those who have a token.</p></main>')
    },
  })
  const url = `${site.url}/p.html`
  const headers = { [new URL(url).host]: { Authorization: 'Bearer TOKEN', 'X-Key': 'KEY' } }
  const docs = await createDocs({ sources: [url], cacheFolder, headers })
  expect((await docs.content(url)).markdown).toContain('Of those who')
  await docs.close()
  const texts = await textsBelow(cacheFolder)
  expect(texts).toContain('Of those who')
  expect(texts).not.toMatch(/TOKEN|KEY|FROM-SITE/)
  const before = requests
  const others = await createDocs({ sources: [url], cacheFolder })
  expect((await others.content(url)).markdown).toContain('Of those who')
  await others.close()
  // The answer varies by a header that this one does not send.
  expect(requests).toBeGreaterThan(before)
  await site.close()
})
