import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isHtmlFile } from '../page-reader.ts'

/** Folders of a documentation build that hold no pages. */
const skipped = new Set(['_static', '_sources', '_images', 'node_modules'])

/** Paths of the HTML files below a folder, in order; at most `limit`. Links are not followed. */
export async function listFolder(
  folder: string,
  limit: number,
): Promise<{ paths: string[]; more: boolean }> {
  const paths: string[] = []
  const pending = [folder]
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => [])
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isFile() && isHtmlFile(entry.name)) {
        if (paths.length >= limit) return { paths, more: true }
        paths.push(path)
      } else if (entry.isDirectory() && !skipped.has(entry.name) && !entry.name.startsWith('.'))
        pending.push(path)
    }
  }
  return { paths, more: false }
}
