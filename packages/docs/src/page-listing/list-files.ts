import { stat } from 'node:fs/promises'
import type { Location } from '../common/parse-location.ts'
import type { DocsSource } from './docs-source.ts'
import { listFolder } from './list-folder.ts'
import type { ListedPage, Listing } from './listing.ts'

/** How long the list of a site's pages is taken as it was, where it costs little to ask again. */
const listedMs = 60 * 60_000
/** Where it is an index of megabytes, or all pages. */
const longListedMs = 24 * 60 * 60_000

/** How long a list of a source holds: files are looked at before every search. */
export function listedMsOf(source: DocsSource, rung: string): number {
  if (source.kind === 'pack') return Number.POSITIVE_INFINITY
  if (source.kind !== 'site') return 0
  return rung === 'sitemap' || rung === 'llms.txt' ? listedMs : longListedMs
}

/** The files of a source, stamped by what changes when they do. */
export async function listFiles(
  source: DocsSource & { kind: 'folder' | 'file' },
  mostPages: number,
): Promise<Listing> {
  if (source.kind === 'file')
    return { rung: 'file', entries: [await stamped(source.path)], more: false }
  const { paths, more } = await listFolder(source.path, mostPages)
  const entries: ListedPage[] = []
  // A thousand at a time: all at once would hold as many files open.
  for (let at = 0; at < paths.length; at += 1_000)
    entries.push(...(await Promise.all(paths.slice(at, at + 1_000).map(stamped))))
  return { rung: 'files', entries, more }
}

async function stamped(path: string): Promise<ListedPage> {
  const location: Location = { kind: 'file', path }
  const stats = await stat(path).catch(() => undefined)
  return { location, stamp: stats ? `${stats.mtimeMs}:${stats.size}` : 'gone' }
}
