export type { Excerpt, ReadOptions } from './answer/excerpt.ts'
export type { FindOptions, Found, FoundSection } from './answer/find.ts'
export type { SearchAnswer, SearchHit, SearchOptions } from './answer/search.ts'
export type { Toc, TocEntry } from './answer/toc.ts'
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
