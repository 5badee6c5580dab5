import { readQuery, termsOf } from '@pith-mcp/scorer'
import { readFileBytes } from '#fetch/file/read-file-bytes'
import type { ListedPage } from '../page-listing/listing.ts'
import type { PageQueue } from './page-queue.ts'

/** In bytes; a longer file is not scanned, and files after so many bytes are not. */
const maxFileBytes = 8 * 2 ** 20
const maxBytes = 256 * 2 ** 20
/** Files with words of the query that are read before others. */
const maxFirst = 48
const concurrent = 8
/** In characters. */
const minWord = 2

/** Files that are read at the same time. */
const filesAtOnce = 8

/** Read the queued files with words of a query before all others. */
export async function readMatching(
  queue: Pick<PageQueue, 'hold' | 'pending' | 'readNow'>,
  query: string,
  ends: AbortSignal,
): Promise<void> {
  const release = queue.hold()
  try {
    const urls = await filesWith(queue.pending, query, ends)
    for (let at = 0; at < urls.length && !ends.aborted; at += filesAtOnce)
      await queue.readNow(urls.slice(at, at + filesAtOnce), false, ends)
  } finally {
    release()
  }
}

/**
 * URLs of files that contain words of a query, those with the most and rarest words first. Files are
 * scanned as bytes: a hit decides the order of reading only, and a miss proves nothing.
 */
async function filesWith(
  pages: Iterable<readonly [url: string, page: ListedPage]>,
  query: string,
  ends: AbortSignal,
): Promise<string[]> {
  const words = bytesOfWords(query)
  const counts = words.map(() => 0)
  const files: { url: string; has: number[] }[] = []
  const pending = [...pages]
  let room = maxBytes
  const work = async (): Promise<void> => {
    for (let next = pending.shift(); next && room > 0 && !ends.aborted; next = pending.shift()) {
      const [url, { location, file }] = next
      const text = location.kind === 'file' ? await lowerBytes(file ?? location.path) : ''
      room -= text.length
      const has = words.flatMap((word, at) => (text.includes(word) ? [at] : []))
      for (const at of has) counts[at] = (counts[at] ?? 0) + 1
      if (has.length > 0) files.push({ url, has })
    }
  }
  await Promise.all(Array.from({ length: concurrent }, work))
  const rarities = counts.map((count) => Math.log(1 + files.length / Math.max(1, count)))
  const worthOf = ({ has }: { has: number[] }): number =>
    has.reduce((sum, at) => sum + (rarities[at] ?? 0), 0)
  return files
    .sort((a, b) => worthOf(b) - worthOf(a))
    .slice(0, maxFirst)
    .map(({ url }) => url)
}

/** A file in lower case, a character for each byte; empty if it cannot be read. */
async function lowerBytes(path: string): Promise<string> {
  const bytes = await readFileBytes(path, maxFileBytes).catch(() => undefined)
  return bytes ? Buffer.from(bytes).toString('latin1').toLowerCase() : ''
}

/** The beginnings that the forms of each significant word share, as `lowerBytes` has them. */
function bytesOfWords(query: string): string[] {
  const telling = new Set(
    readQuery(query).terms.flatMap(({ term, weight }) => (weight > 0 ? [term] : [])),
  )
  const words = query.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const beginnings = words.flatMap((word) => {
    const [stem = ''] = termsOf(word)
    if (word.length < minWord || (telling.size > 0 && !telling.has(stem))) return []
    return word.startsWith(stem) ? [stem] : [word]
  })
  return [...new Set(beginnings)].map((word) => Buffer.from(word).toString('latin1').toLowerCase())
}
