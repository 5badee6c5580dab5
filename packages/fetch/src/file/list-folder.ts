import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { DocsError, quoteValue } from '#formats/docs-error'
import { formatOfFile, unreadKind } from '#formats/page-format'
import { html } from '#formats/readers/html'
import { decodeHtml } from '../decode-html.ts'
import { readHead } from './read-file-bytes.ts'
import { stampAt } from './stamp-at.ts'

/** Milliseconds for which a listing is valid that is cheap to fetch again. */
export const listedMs: number = 60 * 60_000

/** Folders of a documentation build without pages. */
const skipped = new Set(['_static', '_sources', '_images', 'node_modules'])

/** Text files for programs. */
const noPages = /^(?:robots|llms(?:-full)?|CMakeLists|(?:\w+[-_])?requirements(?:[-_]\w+)?)\.txt$/i

/**
 * Paths of the pages below a folder, in order, at most `limit`. Links are not followed. `onFolder`
 * is called before a folder is read.
 * `unreadCounts`: numbers of the documents that are not read, by extension.
 */
export async function listFolder(
  folder: string,
  limit: number,
  onFolder: (path: string) => void = () => {},
): Promise<{ paths: string[]; more: boolean; unreadCounts: Map<string, number> }> {
  const paths: string[] = []
  const unreadCounts = new Map<string, number>()
  const pending = [folder]
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    onFolder(next)
    const entries = await readdir(next, { withFileTypes: true }).catch((cause) => {
      if (next !== folder) return []
      // An unreadable folder is an error: it must not be taken for an empty one.
      throw new DocsError(
        'not_found',
        `The folder ${quoteValue(folder)} cannot be read: ${cause.code ?? cause}.`,
        'Check that the folder exists and that the server may read it.',
        { cause },
      )
    })
    const names = new Set(entries.map(({ name }) => name))
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isFile() && isPage(entry.name, names) && (await isRecognised(path))) {
        if (paths.length >= limit) return { paths, more: true, unreadCounts }
        paths.push(path)
      } else if (entry.isFile() && !hasPage(entry.name, names)) {
        const extension = unreadKind(entry.name)
        if (extension) unreadCounts.set(extension, (unreadCounts.get(extension) ?? 0) + 1)
      } else if (entry.isDirectory() && !skipped.has(entry.name) && !entry.name.startsWith('.'))
        pending.push(path)
    }
  }
  return { paths, more: false, unreadCounts }
}

/** Text next to HTML of the same name is the source of that page. */
function isPage(name: string, siblings: ReadonlySet<string>): boolean {
  const format = formatOfFile(name)
  if (format === undefined || noPages.test(name)) return false
  return format === html || !hasPage(name, siblings)
}

const hasPage = (name: string, siblings: ReadonlySet<string>): boolean =>
  siblings.has(name.replace(/\.\w+$/, '.html'))

/** Files whose start was inspected, as path and stamp: folders are listed before every search. */
const inspected = new LRUCache<string, boolean>({ max: 20_000 })

/** True if the format of the name recognises the start of the file, or does not need to. */
async function isRecognised(path: string): Promise<boolean> {
  const recognises = formatOfFile(path)?.recognises
  if (!recognises) return true
  const key = `${path}\0${await stampAt(path)}`
  const earlier = inspected.get(key)
  if (earlier !== undefined) return earlier
  const head = await readHead(path).catch(() => undefined)
  const isOfFormat = head !== undefined && recognises(decodeHtml(head))
  inspected.set(key, isOfFormat)
  return isOfFormat
}
