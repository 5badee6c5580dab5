import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DocsError } from '../protocol/docs-error.ts'
import { formatOfFile } from '../protocol/page-format.ts'
import { quoteValue } from '../protocol/quote-value.ts'

/** Folders of a documentation build without pages. */
const skipped = new Set(['_static', '_sources', '_images', 'node_modules'])

/** Paths of the pages below a folder, in order, at most `limit`. Links are not followed. */
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

/** An unreadable folder is an error: it must not be taken for an empty one. */
function unreadable(folder: string, cause: unknown): DocsError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  return new DocsError(
    'not_found',
    `The folder ${quoteValue(folder)} cannot be read: ${code}.`,
    'Check that the folder exists and that the server may read it.',
    cause,
  )
}

/** Markdown next to HTML of the same name is the source of that page. */
function isPage(name: string, siblings: ReadonlySet<string>): boolean {
  const format = formatOfFile(name)
  if (format !== 'markdown') return format === 'html'
  return !siblings.has(name.replace(/\.\w+$/, '.html'))
}
