import { parseLocation } from '#fetch/protocol/parse-location'
import { DocsError } from '#formats/docs-error'
import { createPack, type PackListing, packDriver } from '../indexer/pack-file.ts'
import { storeListing } from '../indexer/source-index.ts'
import type { CallOptions } from '../protocol/call-options.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import type { Deps } from './deps.ts'
import { openIndexes } from './search.ts'

/** Write all pages of the sources and their index into one file, which can itself be a source. */
export async function writePack(
  { indexes, reader }: Deps,
  path: string,
  { signal, onProgress }: CallOptions = {},
): Promise<{ pages: number; failed: number }> {
  const opened = await openIndexes(indexes)
  const open = await packDriver()
  const urls = new Set<string>()
  for (const indexer of opened) {
    await indexer.refresh({ signal, fresh: true })
    for (const [url, { failed }] of await indexer.index.pages()) if (!failed) urls.add(url)
  }
  if (urls.size === 0)
    throw new DocsError(
      'no_source',
      'The sources have no pages to pack.',
      'Check that the sources can be read.',
    )
  const pack = await createPack(open, path)
  let progress = { done: 0, total: urls.size, sections: 0, characters: 0 }
  let failed = 0
  try {
    for (const url of urls) {
      signal?.throwIfAborted()
      const read = await Promise.resolve(url)
        .then((name) => reader.read(parseLocation(name), { once: true }))
        .catch(() => undefined)
      if (read) {
        const { page, links, origin } = read
        const fetchedAt = origin.fetchedAt ?? Date.now()
        await pack.store.put({
          url,
          finalUrl: url,
          page,
          links: (await links()).filter(({ rel }) => rel !== 'other'),
          source: origin.source,
          fetchedAt,
        })
        await pack.index.put([indexedPage(page, url, '')])
      } else failed++
      const { done, sections } = progress
      progress = {
        ...progress,
        done: done + 1,
        sections: sections + (read?.page.sections.length ?? 0),
      }
      onProgress?.(progress)
    }
    const below = opened.flatMap(({ source }) =>
      source.kind === 'site' ? [folderOf(source.url)] : [''],
    )
    const listing = { via: 'pack', more: false, forbidden: 0, listedAt: Date.now() }
    const packListing: PackListing = { ...listing, below: foldersOf(below, urls) }
    await storeListing(pack.index, packListing)
    await pack.finish()
  } catch (error) {
    pack.close()
    throw error
  }
  return { pages: urls.size - failed, failed }
}

const folderOf = (url: string): string => new URL('.', url).href

/** The folders of the sources, and of pages to which they lead on other hosts. */
function foldersOf(below: readonly string[], urls: Iterable<string>): string[] {
  const folders = new Set(below)
  for (const url of urls)
    if (URL.canParse(url) && !below.some((folder) => folder !== '' && url.startsWith(folder)))
      folders.add(`${new URL(url).origin}/`)
  return [...folders]
}
