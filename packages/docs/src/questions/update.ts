import type { SourceIndexes } from '../indexer/source-indexes.ts'
import type { CallOptions } from '../protocol/call-options.ts'
import { type SearchedSource, searchedSource } from '../search/search-indexes.ts'
import { openIndexes } from './open-indexes.ts'
import type { SourceOption } from './search.ts'

/** Index all new and changed pages, and return the state of each index. */
export async function update(
  indexes: SourceIndexes,
  options: SourceOption & CallOptions = {},
): Promise<SearchedSource[]> {
  const opened = await openIndexes(indexes, options.source)
  return Promise.all(
    opened.map(async (indexer) => {
      const status = await indexer.refresh({ ...options, fresh: true })
      return searchedSource(indexer.source.name, status, await indexer.index.totals())
    }),
  )
}
