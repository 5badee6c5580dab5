export { type CookieSummary, readCookieFile } from '#fetch/cookie-file'
export type { FetchLimits, HostHeaders } from '#fetch/http-client'
export type { ProxyOptions } from '#fetch/ssrf-guard'
export { DocsError, type DocsErrorCode } from '#formats/docs-error'
export {
  type Declarations,
  type DeclaredMember,
  type DeclaredName,
  type DescribeDeclarations,
  type DescribedDeclarations,
  declarationAt,
} from '#installed/libraries/declarations'
export type { Library, LibraryGroup } from '#installed/libraries/library'
export type { LibrariesOptions, LibraryDescription } from '#installed/libraries/open-libraries'
export { allSites } from '#sites/site-search/all-sites'
export type {
  Recommendation,
  SiteAdapter,
  SiteAnswer,
  SiteHit,
  SiteOptions,
  SiteQuery,
} from '#sites/site-search/port/site'
export { homeOf, parseSiteSettings, type SiteSettings } from '#sites/site-search/site-settings'
export { createDocs } from './create-docs.ts'
export type { Docs, DocsOptions } from './docs.ts'
export type { Excerpt, ReadOptions } from './excerpt/excerpt.ts'
export type { IndexStatus } from './indexer/source-index.ts'
export type { Database, Query } from './postgres/database.ts'
export { migrationSteps } from './postgres/migrations.ts'
export type { CallOptions, IndexProgress } from './protocol/call-options.ts'
export type { Origin, PageSource } from './protocol/origin.ts'
export type { CheckAnswer, Finding, FindingKind } from './questions/check.ts'
export type { GuideContents } from './questions/contents.ts'
export type { FindAnswer, FindOptions } from './questions/find.ts'
export type { SectionMatch } from './questions/match-section.ts'
export type { Related, RelatedPage } from './questions/related.ts'
export type { SourceOption } from './questions/search.ts'
export type { TableAnswer, TableMatch, TableOptions } from './questions/search-table.ts'
export type { ContentAnswer, SectionAnswer } from './questions/section.ts'
export type { SectionsAnswer } from './questions/sections.ts'
export type { SourceDescription } from './questions/site.ts'
export type { Toc } from './questions/toc.ts'
export type { TocEntry } from './questions/toc-list.ts'
export type { SearchHit, SearchOptions } from './search/rank-index.ts'
export type { SearchedSource } from './search/rank-sources.ts'
export type { Repair } from './search/repair-query.ts'
export type { SearchAnswer } from './search/search-sources.ts'
export type { ShownSection } from './search/show-sections.ts'
