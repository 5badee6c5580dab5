import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { ReadPage } from '../page/page-reader.ts'
import type { ListedPage, Listing } from '../page-listing/listing.ts'
import type { IndexProgress } from '../protocol/call-options.ts'
import { DocsError } from '../protocol/docs-error.ts'
import type { Location } from '../protocol/parse-location.ts'
import { raceAbort } from '../protocol/race-abort.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import type { IndexedPage, KnownPage, SearchIndex } from '../search-index/search-index.ts'
import { createBatch } from './batch.ts'

/** State of the index of a source. */
export interface IndexStatus {
  /**
   * How the pages were found: `Sphinx index`, `sitemap`, `files`; empty before the first attempt.
   */
  via: string
  /** False while pages are being read. */
  isComplete: boolean
  progress: IndexProgress
  /** True if the source has more pages than `maxPages`. */
  more: boolean
  /** Pages that robots.txt forbids; they are not indexed. */
  forbidden: number
  /** Why listing the source failed. Pages indexed earlier are still searched. */
  problem?: Error
}

interface RefreshOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
  /** Milliseconds to wait for pages that are being read; Infinity waits for all. */
  waitMs?: number
  /** Ignore the cached listing: list the pages again and wait for all of them. */
  fresh?: boolean
}

export interface SourceIndexOptions {
  index: SearchIndex
  /** The current pages of the source. */
  list: (signal: AbortSignal) => Promise<Listing>
  read: (location: Location) => Promise<ReadPage>
  /** URL of a page in the index. */
  nameOf: (location: Location) => string
  /** Milliseconds for which a listing is valid, by how the pages were found. */
  listedMs: (via: string) => number
  /** Identifies this process among others that may update the same index. */
  holder: string
  /** Aborts reading immediately. */
  closed: AbortSignal
}

export interface SourceIndex {
  readonly index: SearchIndex
  /** Read pages that are new or changed; resolves with the current state when `waitMs` is over. */
  refresh(options?: RefreshOptions): Promise<IndexStatus>
  /** Resolves when the work under way has ended. */
  idle(): Promise<void>
}

const maxConcurrentPages = 4
/**
 * The lease of a killed process expires after `leaseMs`; a running one renews it every `beatMs`.
 */
const leaseMs = 15_000
const beatMs = 4_000
/** Milliseconds between attempts to get the lease. */
const turnMs = 500
/** After this many changed pages the index is optimised. */
const manyPages = 200
/** Milliseconds before a page that failed is read again. */
const retryMs = 5 * 60_000
/** Wait of further searches once one has waited for the first pages. */
const shortWaitMs = 1_000
/** Milliseconds after which a web page without a change date is read again. */
const revalidateMs = 24 * 60 * 60_000
const nothing: IndexProgress = { done: 0, total: 0, sections: 0, characters: 0 }

/** Keeps the index of one source up to date. Pages read before an abort or failure are stored. */
export function createSourceIndex(options: SourceIndexOptions): SourceIndex {
  const { index, list, read, nameOf, listedMs, holder, closed } = options
  const listeners = new Set<(progress: IndexProgress) => void>()
  let running: Promise<void> | undefined
  let startedAt = 0
  let status: IndexStatus = {
    via: '',
    isComplete: false,
    progress: nothing,
    more: false,
    forbidden: 0,
  }

  return {
    index,
    async refresh({ signal, onProgress, waitMs = Number.POSITIVE_INFINITY, fresh = false } = {}) {
      const known = await recall()
      const validMs = listedMs(known?.via ?? '')
      const isRecent = known && Date.now() - known.listedAt < validMs
      if (isRecent && (!fresh || validMs === Number.POSITIVE_INFINITY)) return status
      // An index that was complete once is searched immediately and updated in the background.
      const isUsable = known !== undefined && validMs > 0
      if (!running) startedAt = performance.now()
      running ??= update(isUsable).finally(() => {
        running = undefined
      })
      const hasWaited = performance.now() - startedAt > waitMs
      const patience = isUsable && !fresh ? 0 : hasWaited ? Math.min(waitMs, shortWaitMs) : waitMs
      if (onProgress) listeners.add(onProgress)
      try {
        await waitFor(running, patience, signal)
      } finally {
        if (onProgress) listeners.delete(onProgress)
      }
      return status
    },
    async idle() {
      await running
    },
  }

  /** The listing that an earlier run of this or another process has stored. */
  async function recall(): Promise<{ listedAt: number; via: string } | undefined> {
    const text = await index.state('listing')
    if (text === undefined) return undefined
    const { via, more, forbidden, listedAt } = JSON.parse(text) as IndexStatus & {
      listedAt: number
    }
    if (!running) status = { via, more, forbidden, isComplete: true, progress: status.progress }
    return { listedAt, via }
  }

  async function update(isUsable: boolean): Promise<void> {
    if (!(await acquireLease())) return
    const beat = setInterval(() => void index.lease(holder, leaseMs).catch(() => {}), beatMs)
    beat.unref()
    const batch = createBatch((pages) => index.put(pages))
    try {
      const listing = await list(closed)
      const { via, more } = listing
      status = { via, more, forbidden: 0, isComplete: isUsable, progress: { ...nothing } }
      const requested = listing.pages
        ? await takePages(listing.pages, listing.total ?? 0, batch.add)
        : await readPages(listing.entries, batch.add)
      await batch.flush()
      if (closed.aborted) return
      if (requested.size === 0) throw emptyListing()
      // After a partial listing, pages that are not listed may still exist.
      if (!listing.isPartial?.()) {
        const removed = [...(await index.pages()).keys()].filter((url) => !requested.has(url))
        if (removed.length > 0) await index.remove(removed)
      }
      if (status.progress.done >= manyPages) await index.tidy()
      const state = {
        via,
        more: more || (listing.hasMore?.() ?? false),
        forbidden: listing.forbidden?.() ?? 0,
      }
      await index.setState('listing', JSON.stringify({ ...state, listedAt: Date.now() }))
      status = { ...status, ...state, isComplete: true }
    } catch (error) {
      status = {
        ...status,
        problem: error instanceof Error ? error : new Error(String(error)),
        isComplete: false,
      }
    } finally {
      clearInterval(beat)
      await batch.flush().catch(() => {})
      await index.release(holder).catch(() => {})
    }
  }

  /**
   * Wait until no other process updates the index; false if that process has completed the update.
   */
  async function acquireLease(): Promise<boolean> {
    for (let waits = 0; !closed.aborted; waits++) {
      if (await index.lease(holder, leaseMs)) {
        const known = waits > 0 ? await recall() : undefined
        if (!known || Date.now() - known.listedAt > waits * turnMs + turnMs) return true
        status = { ...status, via: known.via, isComplete: true }
        await index.release(holder)
        return false
      }
      status = { ...status, isComplete: false, via: 'read by another process' }
      await sleep(turnMs, undefined, { signal: closed }).catch(() => {})
    }
    return false
  }

  async function takePages(
    pages: Iterable<IndexedPage> | AsyncIterable<IndexedPage>,
    total: number,
    add: (page: IndexedPage) => Promise<void>,
  ): Promise<Set<string>> {
    const requested = new Set<string>()
    status.progress = { ...status.progress, total }
    for await (const page of pages) {
      if (closed.aborted) break
      requested.add(page.url)
      await add(page)
      advance(page)
    }
    return requested
  }

  async function readPages(
    entries: readonly ListedPage[],
    add: (page: IndexedPage) => Promise<void>,
  ): Promise<Set<string>> {
    const known = await index.pages()
    const named = entries.map((entry) => ({ ...entry, url: nameOf(entry.location) }))
    const stale = named.filter(({ url, stamp }) => isStale(known.get(url), stamp))
    const limit = pLimit(maxConcurrentPages)
    status.progress = { ...status.progress, total: stale.length }
    await Promise.all(
      stale.map(({ location, url, stamp }) =>
        limit(async () => {
          if (closed.aborted) return
          const page = await read(location).then(
            (found) => indexedPage(found.page, url, stamp),
            (error: unknown) => error,
          )
          if (!(page instanceof Error)) await add(page as IndexedPage)
          else if (!closed.aborted && !isKept(page, known.get(url)))
            await index.putFailed(url, stamp)
          advance(page instanceof Error ? undefined : (page as IndexedPage))
          // Cleaning blocks the event loop; let other requests run between pages.
          await new Promise((resolve) => setImmediate(resolve))
        }),
      ),
    )
    return new Set(named.map(({ url }) => url))
  }

  function advance(page: IndexedPage | undefined): void {
    const { done, total, sections, characters } = status.progress
    const texts = page?.sections ?? []
    const progress = {
      done: done + 1,
      total,
      sections: sections + texts.length,
      characters: characters + texts.reduce((sum, { text }) => sum + text.length, 0),
    }
    status = { ...status, progress }
    for (const listener of listeners) listener(progress)
  }
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

function emptyListing(): DocsError {
  return new DocsError(
    'not_found',
    'The source has no pages.',
    'Pass a folder with HTML or Markdown pages, or the URL of a page.',
  )
}

/** Ends the wait, not the work: a later search uses its result. */
async function waitFor(
  work: Promise<void>,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const over = new AbortController()
  const patience =
    waitMs === Number.POSITIVE_INFINITY
      ? []
      : [sleep(waitMs, undefined, { signal: over.signal, ref: false }).catch(() => {})]
  try {
    await raceAbort(Promise.race([work, ...patience]), signal)
  } finally {
    over.abort()
  }
}
