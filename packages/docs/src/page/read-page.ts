import type { Page } from '@pith-mcp/cleaner'
import type { PageLink } from '#formats/format'
import type { Origin } from '../protocol/origin.ts'

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

/** A page that keeps a smaller share of its text says so. */
const fewKept = 0.4

/** The page with what its cleaning says of its text, as a part of its origin. */
export function withHealth(read: ReadPage): ReadPage {
  const { textFrom, leftOut, kept, unread } = read.page.health
  const isLittle = kept > 0 && kept < fewKept
  if (!textFrom && !leftOut && !isLittle && !unread) return read
  const origin = {
    ...read.origin,
    ...(textFrom && { textFrom }),
    ...(leftOut && { leftOut }),
    ...(unread && { unread }),
    ...(isLittle && { kept }),
  }
  return { ...read, origin }
}
