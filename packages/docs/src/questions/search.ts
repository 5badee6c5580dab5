import { DocsError } from '#formats/docs-error'
import type { SourceIndexer } from '../indexer/source-indexer.ts'
import type { SourceIndexes } from '../indexer/source-indexes.ts'
import type { CallOptions } from '../protocol/call-options.ts'
import { checkQueries } from '../search/check-query.ts'
import type { SearchOptions } from '../search/rank-index.ts'
import { type SearchedSource, searchedSource } from '../search/rank-sources.ts'
import { type SearchAnswer, searchSources } from '../search/search-sources.ts'
import { openPage } from '../section/open-page.ts'
import type { Deps } from './deps.ts'

/** A source by name: one of the configured ones, or the URL of another site. */
export interface SourceOption {
  /** One source by its name or a part of the name, or the URL of any documentation site. */
  source?: string | undefined
}

/**
 * Sections of all pages of the sources, or of one source, that match a query, or one to four
 * wordings of it: each is ranked by itself.
 */
export async function search(
  { indexes, reader, waitMs, byMeaning }: Deps,
  query: string | readonly string[],
  { source, ...options }: SearchOptions & SourceOption & CallOptions = {},
): Promise<SearchAnswer> {
  const queries = checkQueries(query)
  const opened = await openIndexes(indexes, source)
  const readPage = async (url: string) => (await openPage(reader, url)).page
  return searchSources(opened, queries, { waitMs, byMeaning, ...options }, readPage)
}

/** Index all new and changed pages of the sources. Resolves when all are searchable. */
export async function update(
  { indexes }: Deps,
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

/** Indexed pages whose URL or title contains a text. Default limit 20. */
export async function pagesLike(
  { indexes }: Deps,
  text: string,
  limit = 20,
): Promise<{ url: string; title: string }[]> {
  const opened = await indexes.open()
  const lists = await Promise.all(opened.map(({ index }) => index.pagesLike(text, limit)))
  return lists.flat().slice(0, limit)
}

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
