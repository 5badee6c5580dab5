import type { Page } from '@pith-mcp/cleaner'
import type { Origin } from '../protocol/origin.ts'
import type { PageLink } from '../protocol/page-links.ts'

export interface ReadPage {
  /** Unique over all folders: the URL, or the absolute path. */
  key: string
  page: Page
  /** Extracted on demand; few requests need links. */
  links: () => Promise<PageLink[]>
  origin: Origin
  /** All links of a page of the web that are known without another request. */
  outgoing?: readonly PageLink[]
}
