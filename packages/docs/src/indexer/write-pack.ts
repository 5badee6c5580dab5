import type { CallOptions } from '../common/call-options.ts'
import { DocsError } from '../common/docs-error.ts'
import { type Location, parseLocation } from '../common/parse-location.ts'
import type { ReadPage } from '../page/page-reader.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import { loadDriver } from '../sqlite/driver.ts'
import { noDriver } from './open-packs.ts'
import { createPack } from './pack-file.ts'
import type { OpenIndex } from './source-indexes.ts'

/** Every page of the indexes, read whole, and the index over them, into one file. */
export async function writePack(
  path: string,
  opened: readonly OpenIndex[],
  read: (location: Location) => Promise<ReadPage>,
  { signal, onProgress }: CallOptions,
): Promise<{ pages: number; failed: number }> {
  const open = await loadDriver()
  if (!open) throw noDriver()
  const urls = new Set<string>()
  for (const { refresh, index } of opened) {
    await refresh({ signal, anew: true })
    for (const [url, { failed }] of await index.pages()) if (!failed) urls.add(url)
  }
  if (urls.size === 0)
    throw new DocsError(
      'no_source',
      'The sources have no pages to pack.',
      'Check them with docs-mcp doctor.',
    )
  const pack = await createPack(open, path)
  let progress = { done: 0, total: urls.size, sections: 0, characters: 0 }
  let failed = 0
  try {
    for (const url of urls) {
      signal?.throwIfAborted()
      const found = await Promise.resolve(url)
        .then((name) => read(parseLocation(name)))
        .catch(() => undefined)
      if (found) {
        const { page, links, origin } = found
        const fetchedAt = origin.fetchedAt ?? Date.now()
        await pack.store.put({
          url,
          source: url,
          page,
          links: await links(),
          rung: origin.rung,
          fetchedAt,
        })
        await pack.index.put([indexedPage(page, url, '')])
      } else failed++
      const { done, sections } = progress
      progress = {
        ...progress,
        done: done + 1,
        sections: sections + (found?.page.sections.length ?? 0),
      }
      onProgress?.(progress)
    }
    const listing = { rung: 'pack', more: false, listedAt: Date.now() }
    await pack.index.setState('listing', JSON.stringify(listing))
    await pack.finish()
  } catch (error) {
    pack.close()
    throw error
  }
  return { pages: urls.size - failed, failed }
}
