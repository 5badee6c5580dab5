import { createHash } from 'node:crypto'
import { basename } from 'node:path'

/** A readable, unique name for the files of a source. */
export function fileKey(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12)
  const word = basename(name.replace(/[?#].*$/, '').replace(/\/+$/, '')).replace(/[^\w.-]+/g, '_')
  return `${word.slice(0, 40) || 'source'}-${hash}`
}
