import type { SourceIndexer } from '../indexer/source-indexer.ts'
import type { SourceIndexes } from '../indexer/source-indexes.ts'
import { DocsError } from '../protocol/docs-error.ts'

/**
 * Indexes of the named source, or of all sources.
 *
 * @throws {DocsError} `no_source` without sources.
 */
export async function openIndexes(
  indexes: SourceIndexes,
  source?: string | undefined,
): Promise<SourceIndexer[]> {
  const opened = await indexes.open(source)
  if (opened.length > 0) return opened
  throw new DocsError(
    'no_source',
    'There is nothing to search: no source is configured.',
    'Pass the URL of a documentation site as `source`, or read a page by its URL.',
  )
}
