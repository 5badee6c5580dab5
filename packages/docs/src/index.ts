export { createDocs } from './create-docs.ts'
export type {
  ContentAnswer,
  Docs,
  DocsOptions,
  SectionAnswer,
  SourceOption,
} from './docs.ts'
export type { FetchLimits, HostHeaders } from './fetch/http-client.ts'
export type { ProxyOptions } from './fetch/ssrf-guard.ts'
export type { IndexStatus } from './indexer/source-index.ts'
export type { CallOptions, IndexProgress } from './protocol/call-options.ts'
export { DocsError, type DocsErrorCode } from './protocol/docs-error.ts'
export type { Origin, PageSource } from './protocol/origin.ts'
export type { Excerpt, ReadOptions } from './questions/excerpt.ts'
export type { FindAnswer, FindOptions, SectionMatch } from './questions/find.ts'
export type { GuideContents } from './questions/guide-contents.ts'
export type { SectionsAnswer } from './questions/read-sections.ts'
export type { Related } from './questions/related.ts'
export type { Repair } from './questions/repair-query.ts'
export type { SearchHit, SearchOptions } from './questions/search-index.ts'
export type { SearchedSource } from './questions/search-indexes.ts'
export type { SearchAnswer } from './questions/search-sources.ts'
export type { TableAnswer, TableMatch, TableOptions } from './questions/search-table.ts'
export type { RelatedPage } from './questions/siblings.ts'
export type { SourceDescription } from './questions/site-questions.ts'
export type { Toc } from './questions/toc.ts'
export type { TocEntry } from './questions/toc-list.ts'
export { allSites } from './site-search/all-sites.ts'
export type {
  Recommendation,
  SiteAdapter,
  SiteAnswer,
  SiteHit,
  SiteOptions,
  SiteQuery,
} from './site-search/port/site.ts'
export { homeOf, parseSiteSettings, type SiteSettings } from './site-search/site-settings.ts'
