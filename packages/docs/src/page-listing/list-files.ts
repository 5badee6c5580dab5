import { stat } from 'node:fs/promises'
import type { Location } from '../protocol/parse-location.ts'
import type { DocsSource } from './docs-source.ts'
import { listFolder } from './list-folder.ts'
import type { ListedPage, Listing } from './listing.ts'

/** Milliseconds for which a listing is valid that is cheap to fetch again. */
const listedMs = 60 * 60_000
/** The same for an index of megabytes or a crawl of all pages. */
const longListedMs = 24 * 60 * 60_000

/** Milliseconds for which a listing is valid. Files are listed before every search. */
export function listedMsOf(source: DocsSource, via: string): number {
  if (source.kind === 'pack') return Number.POSITIVE_INFINITY
  if (source.kind !== 'site') return 0
  return via === 'sitemap' || via === 'llms.txt' ? listedMs : longListedMs
}

/** The files of a source, each with a stamp that changes when the file does. */
export async function listFiles(
  source: DocsSource & { kind: 'folder' | 'file' },
  maxPages: number,
): Promise<Listing> {
  if (source.kind === 'file')
    return { via: 'file', entries: [await stamped(source.path)], more: false }
  const { paths, more, others } = await listFolder(source.path, maxPages)
  const entries: ListedPage[] = []
  // 1,000 at a time, to limit the number of open files.
  for (let at = 0; at < paths.length; at += 1_000)
    entries.push(...(await Promise.all(paths.slice(at, at + 1_000).map(stamped))))
  const ignored = [...others].map(([extension, count]) => `${count} ${extension}`).join(', ')
  return { via: 'files', entries, more, ...(ignored && { ignored }) }
}

async function stamped(path: string): Promise<ListedPage> {
  const location: Location = { kind: 'file', path }
  const stats = await stat(path).catch(() => undefined)
  return { location, stamp: stats ? `${stats.mtimeMs}:${stats.size}` : 'gone' }
}
