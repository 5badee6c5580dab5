import type { SourceIndexes } from '../indexer/source-indexes.ts'
import type { PageReader } from '../page/page-reader.ts'
import type { CallOptions } from '../protocol/call-options.ts'
import { checkQuery } from '../search/check-query.ts'
import type { MeaningOptions } from '../search/rank-by-meaning.ts'
import type { SearchOptions } from '../search/search-index.ts'
import { type SearchAnswer, searchSources } from '../search/search-sources.ts'
import { openPage } from '../section/open-page.ts'
import { openIndexes } from './open-indexes.ts'

export interface SearchDeps {
  indexes: SourceIndexes
  reader: PageReader
  /** Milliseconds to wait for pages that are read for the first time. */
  waitMs: number
  /** An embedding model that ranks what the words have found. */
  byMeaning?: MeaningOptions | undefined
}

/** A source by name: one of the configured ones, or the URL of another site. */
export interface SourceOption {
  /** One source by its name or a part of the name, or the URL of any documentation site. */
  source?: string | undefined
}

/** Sections of all pages of the sources, or of one source, that match a query. */
export async function search(
  { indexes, reader, waitMs, byMeaning }: SearchDeps,
  query: string,
  { source, ...options }: SearchOptions & SourceOption & CallOptions = {},
): Promise<SearchAnswer> {
  checkQuery(query)
  const opened = await openIndexes(indexes, source)
  const readPage = async (url: string) => (await openPage(reader, url)).page
  return searchSources(opened, query, { waitMs, byMeaning, ...options }, readPage)
}
