import { createHash } from 'node:crypto'
import { basename } from 'node:path'

/** Where pages come from: a folder, file or pack on disk, or a page, site or sitemap on the web. */
export type DocsSource = { name: string } & (
  | { kind: 'folder' | 'file'; path: string }
  | { kind: 'pack'; path: string }
  | { kind: 'site'; url: string }
)

/** A readable, unique name for the files of a source. */
export function fileKey(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12)
  const word = basename(name.replace(/[?#].*$/, '').replace(/\/+$/, '')).replace(/[^\w.-]+/g, '_')
  return `${word.slice(0, 40) || 'source'}-${hash}`
}
