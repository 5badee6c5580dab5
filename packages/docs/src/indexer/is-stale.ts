import { DocsError } from '#formats/docs-error'
import { linkStamp } from '../page-listing/listing.ts'
import type { KnownPage } from '../search-index/search-index.ts'

/** Milliseconds before a page that failed is read again. */
const retryMs = 5 * 60_000
/** Milliseconds after which a web page without a change date is read again. */
const revalidateMs = 24 * 60 * 60_000

/** True for a page that is new, changed, or may have changed. */
export function isStale(page: KnownPage | undefined, stamp: string): boolean {
  const isLinked = stamp === linkStamp
  if (!page || page.isProposed || (!isLinked && page.stamp !== stamp)) return true
  const age = Date.now() - page.readAt
  if (page.failed) return age > retryMs
  return (isLinked || stamp === '') && age > revalidateMs
}

/** A page that is gone is removed; a temporary failure leaves the indexed page in place. */
export const isPermanent = (error: Error): boolean =>
  error instanceof DocsError && ['not_found', 'unsupported_type'].includes(error.code)
