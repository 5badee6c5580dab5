import type { PageStore } from '../page/cache/page-store.ts'
import type { PageReader } from '../page/page-reader.ts'

/** What the questions about one page depend on. */
export interface PageDeps {
  reader: PageReader
  /** Remembers which sections were read. */
  store: PageStore
  /** At most this many characters of text in one answer. */
  cap: number
}
