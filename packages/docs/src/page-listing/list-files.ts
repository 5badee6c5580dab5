import type { FolderWatch } from '#base/watch-folders'
import { listedMs, listFolder } from '#fetch/file/list-folder'
import { stampAt } from '#fetch/file/stamp-at'
import { failedMs } from '#fetch/robots'
import type { DocsSource } from './docs-source.ts'
import { viaFailedRobots } from './follow-links.ts'
import type { ListedPage, Listing } from './listing.ts'

/** Milliseconds for which a listing is valid: an index of megabytes or a crawl of all pages. */
const longListedMs = 24 * 60 * 60_000

/**
 * Milliseconds for which a listing is valid. What is installed, and one file, is looked at before
 * every search; a folder, if it has changed.
 */
export async function listedMsOf(
  source: DocsSource,
  via: string,
  watch: FolderWatch | undefined,
): Promise<number> {
  if (source.kind === 'pack') return Number.POSITIVE_INFINITY
  if (await watch?.isValid()) return Number.MAX_VALUE
  if (source.kind !== 'site') return 0
  if (via === viaFailedRobots) return failedMs
  return via === 'sitemap' || via === 'llms.txt' ? listedMs : longListedMs
}

/** The files of a source, each with a stamp that changes when the file does. */
export async function listFiles(
  source: DocsSource & { kind: 'folder' | 'file' },
  maxPages: number,
  watch?: FolderWatch,
): Promise<Listing> {
  if (source.kind === 'file')
    return { via: 'file', entries: [await stamped(source.path)], more: false }
  watch?.begin()
  const { paths, more, unreadCounts } = await listFolder(source.path, maxPages, watch?.add)
  const entries: ListedPage[] = []
  // 1,000 at a time, to limit the number of open files.
  for (let at = 0; at < paths.length; at += 1_000)
    entries.push(...(await Promise.all(paths.slice(at, at + 1_000).map(stamped))))
  const ignored = [...unreadCounts].map(([extension, count]) => `${count} ${extension}`).join(', ')
  return { via: 'files', entries, more, ...(ignored && { ignored }) }
}

async function stamped(path: string): Promise<ListedPage> {
  return { location: { kind: 'file', path }, stamp: await stampAt(path) }
}
