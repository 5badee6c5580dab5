import type { DocsSource } from '../page-listing/docs-source.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { loadDriver } from '../sqlite/driver.ts'
import { openPack, type Pack } from './pack-file.ts'

/** Open the packs among the sources. @throws {DocsError} if one cannot be read. */
export async function openPacks(
  sources: readonly DocsSource[],
): Promise<(Pack & { path: string })[]> {
  const paths = sources.flatMap((source) => (source.kind === 'pack' ? [source.path] : []))
  if (paths.length === 0) return []
  const open = await loadDriver()
  if (!open) throw noDriver()
  return Promise.all(paths.map(async (path) => ({ path, ...(await openPack(open, path)) })))
}

export function noDriver(): DocsError {
  return new DocsError(
    'unsupported_type',
    'Packs require SQLite, which this Node does not include.',
    'Use Node 22.13 or later, or install the package @photostructure/sqlite.',
  )
}
