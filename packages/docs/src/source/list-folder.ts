import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { formatOfFile } from '../page/page-format.ts'

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
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
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

/** Markdown beside the HTML made of it is the same page twice. */
function isPage(name: string, siblings: ReadonlySet<string>): boolean {
  const format = formatOfFile(name)
  if (format !== 'markdown') return format === 'html'
  return !siblings.has(name.replace(/\.\w+$/, '.html'))
}
