import type { Meaning } from '@pith-mcp/scorer'
import type { HttpClient } from '#fetch/http-client'
import type { Libraries } from '#installed/libraries/open-libraries'
import type { Sites } from '#sites/site-search/open-sites'
import type { SiteSettings } from '#sites/site-search/site-settings'
import type { SourceIndexes } from '../indexer/source-indexes.ts'
import type { PageStore } from '../page/cache/page-store.ts'
import type { PageReader } from '../page/page-reader.ts'
import type { SourceLister } from '../page-listing/source-lister.ts'

/** What questions are answered from. */
export interface Deps {
  client: HttpClient
  lister: SourceLister
  reader: PageReader
  /** Remembers which sections were read. */
  store: PageStore
  indexes: SourceIndexes
  libraries: Libraries | undefined
  sites: Sites
  settings: SiteSettings
  /** At most this many characters of text in one answer. */
  cap: number
  /** Milliseconds to wait for pages that are read for the first time. */
  waitMs: number
  /** An embedding model that ranks what the words have found. */
  byMeaning: Meaning | undefined
}
