import pLimit from 'p-limit'
import type { ReadPage } from '../page/read-page.ts'
import type { ListedPage, Listing } from '../page-listing/listing.ts'
import { DocsError } from '../protocol/docs-error.ts'
import type { Location } from '../protocol/parse-location.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import type { IndexedPage, KnownPage, SearchIndex } from '../search-index/search-index.ts'

/** How pages are read, and where they are indexed. */
export interface PageIndexing {
  index: SearchIndex
  read: (location: Location) => Promise<ReadPage>
  /** URL of a page in the index. */
  nameOf: (location: Location) => string
  /** Aborts reading immediately. */
  closed: AbortSignal
}

export interface ListingTarget extends PageIndexing {
  /** Called with the number of pages to read, or 0 if it is unknown. */
  begin(total: number): void
  add(page: IndexedPage): Promise<void>
  /** Called after each page; `undefined` stands for one that could not be read. */
  advance(page: IndexedPage | undefined): void
}

const maxConcurrentPages = 4
/** Milliseconds before a page that failed is read again. */
const retryMs = 5 * 60_000
/** Milliseconds after which a web page without a change date is read again. */
const revalidateMs = 24 * 60 * 60_000

/** Add the pages of a listing that are new or changed; returns the URLs of all. */
export const readListing = (listing: Listing, target: ListingTarget): Promise<Set<string>> =>
  listing.pages
    ? takePages(listing.pages, listing.total ?? 0, target)
    : readPages(listing.entries, target)

async function takePages(
  pages: Iterable<IndexedPage> | AsyncIterable<IndexedPage>,
  total: number,
  { closed, begin, add, advance }: ListingTarget,
): Promise<Set<string>> {
  const urls = new Set<string>()
  begin(total)
  for await (const page of pages) {
    if (closed.aborted) break
    urls.add(page.url)
    await add(page)
    advance(page)
  }
  return urls
}

async function readPages(
  entries: readonly ListedPage[],
  target: ListingTarget,
): Promise<Set<string>> {
  const { index, nameOf, closed, begin } = target
  const known = await index.pages()
  const named = entries.map((entry) => ({ ...entry, url: nameOf(entry.location) }))
  const stale = named.filter(({ url, stamp }) => isStale(known.get(url), stamp))
  const limit = pLimit(maxConcurrentPages)
  begin(stale.length)
  await Promise.all(
    stale.map((page) =>
      limit(async () => {
        if (closed.aborted) return
        await readOne(page, known.get(page.url), target)
        // Cleaning blocks the event loop; let other requests run between pages.
        await new Promise((resolve) => setImmediate(resolve))
      }),
    ),
  )
  return new Set(named.map(({ url }) => url))
}

async function readOne(
  { location, url, stamp }: ListedPage & { url: string },
  known: KnownPage | undefined,
  { index, read, closed, add, advance }: ListingTarget,
): Promise<void> {
  const page = await read(location).then(
    (found) => indexedPage(found.page, url, stamp),
    (error: unknown) => error,
  )
  if (!(page instanceof Error)) await add(page as IndexedPage)
  else if (!closed.aborted && !isKept(page, known)) await index.putFailed(url, stamp)
  advance(page instanceof Error ? undefined : (page as IndexedPage))
}

function isStale(known: KnownPage | undefined, stamp: string): boolean {
  if (!known || known.stamp !== stamp) return true
  const age = Date.now() - known.readAt
  if (known.failed) return age > retryMs
  return stamp === '' && age > revalidateMs
}

/** A temporary failure leaves the indexed page in place; a page that is gone is removed. */
const isKept = (error: Error, known: KnownPage | undefined): boolean =>
  known !== undefined &&
  !known.failed &&
  !(error instanceof DocsError && ['not_found', 'unsupported_type'].includes(error.code))
