export type { Excerpt, ReadOptions } from './answer/excerpt.ts'
export type { FindOptions, Found, FoundSection } from './answer/find-in.ts'
export type { SearchAnswer, SearchHit, SearchOptions } from './answer/search-in.ts'
export type { TocEntry } from './answer/toc-list.ts'
export type { Toc } from './answer/toc-of.ts'
export {
  type CallOptions,
  type ContentAnswer,
  createDocs,
  type Docs,
  type DocsOptions,
  type SectionAnswer,
} from './create-docs.ts'
export { DocsError, type DocsErrorCode } from './docs-error.ts'
export type { FetchLimits } from './fetch/fetch-bytes.ts'
export type { IndexProgress } from './site/site-index.ts'
