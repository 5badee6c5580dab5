import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DocsError } from '../common/docs-error.ts'
import { formatOfFile } from '../common/page-format.ts'
import { quoteValue } from '../common/quote-value.ts'

/** Folders of a documentation build that hold no pages. */
const skipped = new Set(['_static', '_sources', '_images', 'node_modules'])

/** Paths of the pages below a folder, in order; at most `limit`. Links are not followed. */
export async function listFolder(
  folder: string,
  limit: number,
): Promise<{ paths: string[]; more: boolean }> {
  const paths: string[] = []
  const pending = [folder]
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const entries = await readdir(next, { withFileTypes: true }).catch((error: unknown) => {
      if (next === folder) throw unreadable(folder, error)
      return []
    })
    const names = new Set(entries.map(({ name }) => name))
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isFile() && isPage(entry.name, names)) {
        if (paths.length >= limit) return { paths, more: true }
        paths.push(path)
      } else if (entry.isDirectory() && !skipped.has(entry.name) && !entry.name.startsWith('.'))
        pending.push(path)
    }
  }
  return { paths, more: false }
}

/** A folder that cannot be read now has no pages to list; that is not a folder without pages. */
function unreadable(folder: string, cause: unknown): DocsError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  return new DocsError(
    'not_found',
    `The folder ${quoteValue(folder)} cannot be read: ${code}.`,
    'Check that it is there, and that the server may read it.',
    cause,
  )
}

/** Markdown beside the HTML made of it is the same page twice. */
function isPage(name: string, siblings: ReadonlySet<string>): boolean {
  const format = formatOfFile(name)
  if (format !== 'markdown') return format === 'html'
  return !siblings.has(name.replace(/\.\w+$/, '.html'))
}
