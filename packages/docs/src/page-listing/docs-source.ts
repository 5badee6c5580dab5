import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Listing } from './listing.ts'

/**
 * Where pages come from: a folder, file or pack on disk, an installed library or a repository, or a
 * page, site or sitemap on the web.
 */
export type DocsSource = { name: string } & (
  | { kind: 'folder' | 'file'; path: string }
  | { kind: 'pack'; path: string }
  | { kind: 'library'; id: string; isOne: boolean; list(maxPages: number): Promise<Listing> }
  | { kind: 'site'; url: string }
)

/** A readable, unique name for the files of a source. */
export function fileKey(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12)
  const word = basename(name.replace(/[?#].*$/, '').replace(/\/+$/, '')).replace(/[^\w.-]+/g, '_')
  return `${word.slice(0, 40) || 'source'}-${hash}`
}

/** One library has few pages, of which that of its declarations, in no file, has most names. */
export const isOneLibrary = (source: DocsSource): boolean =>
  source.kind === 'library' && source.isOne
