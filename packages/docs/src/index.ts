export type { Excerpt, ReadOptions } from './answer/excerpt.ts'
export type { FindOptions, Found, FoundSection } from './answer/find-in.ts'
export type { GuideContents } from './answer/guide-contents.ts'
export type { SectionsAnswer } from './answer/read-sections.ts'
export type { Related, RelatedPage } from './answer/related.ts'
export type { Repair } from './answer/repair-query.ts'
export type { SearchHit, SearchOptions } from './answer/search-in.ts'
export type { SearchAnswer, SearchedSource } from './answer/search-sources.ts'
export type { FoundRows, FoundTable, TableOptions } from './answer/search-table.ts'
export type { TocEntry } from './answer/toc-list.ts'
export type { Toc } from './answer/toc-of.ts'
export { createDocs } from './create-docs.ts'
export type {
  CallOptions,
  ContentAnswer,
  Docs,
  DocsOptions,
  SectionAnswer,
  SourceDescription,
  SourceOption,
} from './docs.ts'
export { DocsError, type DocsErrorCode } from './docs-error.ts'
export type { ProxyOptions } from './fetch/guarded-agent.ts'
export type { FetchLimits, HostHeaders } from './fetch/http-client.ts'
export type { IndexProgress, IndexStatus } from './indexing/source-index.ts'
export type { Origin, Rung } from './page/rung.ts'
export { allSites } from './sites/all-sites.ts'
export { type GivenSites, homeOf, readGivenSites } from './sites/given-sites.ts'
export type {
  Recommendation,
  SiteAdapter,
  SiteAnswer,
  SiteHit,
  SiteOptions,
  SiteQuery,
} from './sites/site.ts'
