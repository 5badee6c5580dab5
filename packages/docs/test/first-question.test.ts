import { readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanHtml } from '@pith-mcp/cleaner'
import { createDocs } from '@pith-mcp/docs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { parseLocation } from '../../fetch/src/protocol/parse-location.ts'
import { readMatching } from '../src/indexer/read-matching.ts'
import type { SourceIndexOptions } from '../src/indexer/source-index.ts'
import { SourceIndexer } from '../src/indexer/source-indexer.ts'
import { createMemoryIndex } from '../src/search-index/memory-search-index.ts'

/** Pages of a folder; the words of `planted` are in the page of that number. */
async function folderOf(count: number, planted: Readonly<Record<number, string>>): Promise<string> {
  const folder = temporaryFolder(onTestFinished)
  const text = '<p>The crew of each boat checks the engine before it leaves the harbour.</p>'
  for (let page = 0; page < count; page++)
    await writeFile(
      join(folder, `${String(page).padStart(4, '0')}.html`),
      `<main><h1>Trip ${page}</h1>${text.repeat(40)}<p>${planted[page] ?? ''}</p></main>`,
    )
  return folder
}

const pages = process.env['LONG'] ? 530 : 60

test('the first question of a folder finds a word of any page', async () => {
  const folder = await folderOf(pages, { [pages - 1]: 'Painted in Plovertail red.', 3: 'Wrasses' })
  const docs = await createDocs({ sources: [folder] })
  onTestFinished(() => docs.close())
  const { hits } = await docs.search('plovertail')
  expect(hits[0]?.url).toContain(`${pages - 1}.html`)
  const [other] = (await docs.search('wrasse')).hits
  expect(other?.url).toContain('0003.html')
})

test.each([1, 7, 9, 10, 11, 12, 13])(
  'of a folder of %d pages that all have the words, none is said to be left out',
  async (count) => {
    const planted = Array.from({ length: count }, () => 'Painted in Plovertail red.')
    const folder = await folderOf(count, { ...planted })
    const docs = await createDocs({ sources: [folder] })
    onTestFinished(() => docs.close())
    // Two questions at once read pages for each other.
    const first = await Promise.all([docs.search('plovertail'), docs.search('red')])
    const answers = [...first, await docs.search('plovertail')]
    for (const { sources } of answers)
      expect([false, sources[0]?.isComplete && count]).toEqual([
        sources[0]?.more,
        sources[0]?.isComplete && sources[0].pages,
      ])
  },
)

test('a page that is being read when the question comes is waited for', async () => {
  // More processor time than a question gives to pages that it does not name.
  let used = 0
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => {
    used += 1e9
    return { user: used, system: 0 }
  })
  onTestFinished(() => void vi.restoreAllMocks())
  let readOn = (): void => {}
  const held = new Promise<void>((resolve) => {
    readOn = resolve
  })
  const page = await cleanHtml('<main><h1>Log</h1><p>Painted in Plovertail red.</p></main>')
  const entries = [{ location: parseLocation('log.html'), stamp: '1' }]
  const indexer = new SourceIndexer({
    source: { name: 'log', kind: 'folder', path: 'log' },
    index: createMemoryIndex(),
    reader: { nameOf: () => 'log.html', read: () => held.then(() => ({ page })) },
    lister: { list: async () => ({ via: 'files', entries, more: false }) },
    closed: new AbortController().signal,
    maxPages: 10,
    offline: false,
    holder: 'test',
  } as unknown as SourceIndexOptions)
  const refreshed = indexer.refresh({ query: 'plovertail', waitMs: 600_000 })
  const first = await Promise.race([refreshed.then(() => 'answered'), sleep(600, 'waits')])
  readOn()
  await refreshed
  expect([first, (await indexer.index.totals()).pages]).toEqual(['waits', 1])
})

test('pages with words of a question are read while all others wait, and no others are', async () => {
  const folder = await folderOf(30, { 29: 'Painted in Plovertail red.', 3: 'PLOVERTAILS' })
  const paths = (await readdir(folder)).sort().map((name) => join(folder, name))
  const pending = new Map(paths.map((path) => [path, { location: parseLocation(path), stamp: '' }]))
  const steps: string[] = []
  const queue = {
    pending,
    hold: () => {
      steps.push('hold')
      return () => steps.push('release')
    },
    readNow: async (urls: readonly string[]) => {
      steps.push(...urls.map((url) => basename(url)).sort())
      return true
    },
  }
  await readMatching(queue, 'plovertail', new AbortController().signal)
  expect(steps).toEqual(['hold', '0003.html', '0029.html', 'release'])
})

test('pages that cannot be read are named, those like the query first', async () => {
  const folder = await folderOf(2, {})
  await writeFile(join(folder, 'anchors.html'), '')
  await writeFile(join(folder, 'mooring-lines.html'), '')
  const docs = await createDocs({ sources: [folder] })
  onTestFinished(() => docs.close())
  const { sources } = await docs.search('mooring')
  expect(sources[0]).toMatchObject({ failed: 2 })
  expect(sources[0]?.unreadable[0]?.url).toBe('mooring-lines.html')
  expect(sources[0]?.unreadable[0]?.problem).toMatch(/no text/)
})
