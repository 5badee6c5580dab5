export type { CallOptions, IndexProgress } from './common/call-options.ts'
export { DocsError, type DocsErrorCode } from './common/docs-error.ts'
export type { Origin, Rung } from './common/rung.ts'
export { createDocs } from './create-docs.ts'
export type {
  ContentAnswer,
  Docs,
  DocsOptions,
  SectionAnswer,
  SourceOption,
} from './docs.ts'
export type { ProxyOptions } from './fetch/guarded-agent.ts'
export type { FetchLimits, HostHeaders } from './fetch/http-client.ts'
export type { IndexStatus } from './indexer/source-index.ts'
export type { RelatedPage } from './questions/beside.ts'
export type { Excerpt, ReadOptions } from './questions/excerpt.ts'
export type { FindOptions, Found, FoundSection } from './questions/find-in.ts'
export type { GuideContents } from './questions/guide-contents.ts'
export type { SectionsAnswer } from './questions/read-sections.ts'
export type { Related } from './questions/related.ts'
export type { Repair } from './questions/repair-query.ts'
export type { SearchHit, SearchOptions } from './questions/search-in.ts'
export type { SearchedSource } from './questions/search-indexes.ts'
export type { SearchAnswer } from './questions/search-sources.ts'
export type { FoundRows, FoundTable, TableOptions } from './questions/search-table.ts'
export type { SourceDescription } from './questions/site-questions.ts'
export type { TocEntry } from './questions/toc-list.ts'
export type { Toc } from './questions/toc-of.ts'
export { allSites } from './site-search/all-sites.ts'
export { type GivenSites, homeOf, readGivenSites } from './site-search/given-sites.ts'
export type {
  Recommendation,
  SiteAdapter,
  SiteAnswer,
  SiteHit,
  SiteOptions,
  SiteQuery,
} from './site-search/port/site.ts'
