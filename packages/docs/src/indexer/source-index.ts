import { setTimeout as sleep } from 'node:timers/promises'
import type { Listing } from '../page-listing/listing.ts'
import type { IndexProgress } from '../protocol/call-options.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { raceAbort } from '../protocol/race-abort.ts'
import type { IndexedPage, SearchIndex } from '../search-index/search-index.ts'
import { type Batch, createBatch } from './batch.ts'
import { type PageIndexing, readListing } from './read-listing.ts'

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

export interface SourceIndexOptions extends PageIndexing {
  /** The current pages of the source. */
  list: (signal: AbortSignal) => Promise<Listing>
  /** Read the first page of a site; its error tells why nothing was found. */
  readFirst: () => Promise<unknown>
  /** Milliseconds for which a listing is valid, by how the pages were found. */
  listedMs: (via: string) => number
  /** Identifies this process among others that may update the same index. */
  holder: string
}

export interface SourceIndex {
  readonly index: SearchIndex
  /** Read pages that are new or changed; resolves with the current state when `waitMs` is over. */
  refresh(options?: RefreshOptions): Promise<IndexStatus>
  /** Resolves when the work under way has ended. */
  idle(): Promise<void>
}

/**
 * The lease of a killed process expires after `leaseMs`; a running one renews it every `beatMs`.
 */
const leaseMs = 15_000
const beatMs = 4_000
/** Milliseconds between attempts to get the lease. */
const turnMs = 500
/** After this many changed pages the index is optimised. */
const manyPages = 200
/** Wait of further searches once one has waited for the first pages. */
const shortWaitMs = 1_000
const nothing: IndexProgress = { done: 0, total: 0, sections: 0, characters: 0 }

/** Keeps the index of one source up to date. Pages read before an abort or failure are stored. */
export class SourceIndexer implements SourceIndex {
  readonly index: SearchIndex
  readonly #options: SourceIndexOptions
  readonly #listeners = new Set<(progress: IndexProgress) => void>()
  #running: Promise<void> | undefined
  #startedAt = 0
  #status: IndexStatus = {
    via: '',
    isComplete: false,
    progress: nothing,
    more: false,
    forbidden: 0,
  }

  constructor(options: SourceIndexOptions) {
    this.index = options.index
    this.#options = options
  }

  async refresh({
    signal,
    onProgress,
    waitMs = Number.POSITIVE_INFINITY,
    fresh = false,
  }: RefreshOptions = {}): Promise<IndexStatus> {
    const known = await this.#recall()
    const validMs = this.#options.listedMs(known?.via ?? '')
    const isRecent = known && Date.now() - known.listedAt < validMs
    if (isRecent && (!fresh || validMs === Number.POSITIVE_INFINITY)) return this.#status
    // An index that was complete once is searched immediately and updated in the background.
    const isUsable = known !== undefined && validMs > 0
    if (!this.#running) this.#startedAt = performance.now()
    this.#running ??= this.#update(isUsable).finally(() => {
      this.#running = undefined
    })
    const hasWaited = performance.now() - this.#startedAt > waitMs
    const patience = isUsable && !fresh ? 0 : hasWaited ? Math.min(waitMs, shortWaitMs) : waitMs
    if (onProgress) this.#listeners.add(onProgress)
    try {
      await waitFor(this.#running, patience, signal)
    } finally {
      if (onProgress) this.#listeners.delete(onProgress)
    }
    return this.#status
  }

  async idle(): Promise<void> {
    await this.#running
  }

  /** The listing that an earlier run of this or another process has stored. */
  async #recall(): Promise<{ listedAt: number; via: string } | undefined> {
    const text = await this.index.state('listing')
    if (text === undefined) return undefined
    const { via, more, forbidden, listedAt } = JSON.parse(text) as IndexStatus & {
      listedAt: number
    }
    const { progress } = this.#status
    if (!this.#running) this.#status = { via, more, forbidden, isComplete: true, progress }
    return { listedAt, via }
  }

  async #update(isUsable: boolean): Promise<void> {
    const { index } = this
    const { holder } = this.#options
    if (!(await this.#acquireLease())) return
    const beat = setInterval(() => void index.lease(holder, leaseMs).catch(() => {}), beatMs)
    beat.unref()
    const batch = createBatch((pages) => index.put(pages))
    try {
      await this.#updateWith(batch, isUsable)
    } catch (error) {
      this.#status = {
        ...this.#status,
        problem: error instanceof Error ? error : new Error(String(error)),
        isComplete: false,
      }
    } finally {
      clearInterval(beat)
      await batch.flush().catch(() => {})
      await index.release(holder).catch(() => {})
    }
  }

  /** List the source, read what is new, remove what is gone, and store the listing. */
  async #updateWith(batch: Batch, isUsable: boolean): Promise<void> {
    const { index } = this
    const { list, closed } = this.#options
    const listing = await list(closed)
    const { via, more } = listing
    this.#status = { via, more, forbidden: 0, isComplete: isUsable, progress: { ...nothing } }
    const urls = await readListing(listing, {
      ...this.#options,
      begin: (total) => {
        this.#status.progress = { ...this.#status.progress, total }
      },
      add: batch.add,
      advance: (page) => this.#advance(page),
    })
    await batch.flush()
    if (closed.aborted) return
    if (urls.size === 0) {
      await this.#options.readFirst()
      throw emptyListing()
    }
    // After a partial listing, pages that are not listed may still exist.
    if (!listing.isPartial?.()) {
      const removed = [...(await index.pages()).keys()].filter((url) => !urls.has(url))
      if (removed.length > 0) await index.remove(removed)
    }
    if (this.#status.progress.done >= manyPages) await index.tidy()
    const state = {
      via,
      more: more || (listing.hasMore?.() ?? false),
      forbidden: listing.forbidden?.() ?? 0,
    }
    await index.setState('listing', JSON.stringify({ ...state, listedAt: Date.now() }))
    this.#status = { ...this.#status, ...state, isComplete: true }
  }

  /**
   * Wait until no other process updates the index; false if that process has completed the update.
   */
  async #acquireLease(): Promise<boolean> {
    const { holder, closed } = this.#options
    for (let waits = 0; !closed.aborted; waits++) {
      if (await this.index.lease(holder, leaseMs)) {
        const known = waits > 0 ? await this.#recall() : undefined
        if (!known || Date.now() - known.listedAt > waits * turnMs + turnMs) return true
        this.#status = { ...this.#status, via: known.via, isComplete: true }
        await this.index.release(holder)
        return false
      }
      this.#status = { ...this.#status, isComplete: false, via: 'read by another process' }
      await sleep(turnMs, undefined, { signal: closed }).catch(() => {})
    }
    return false
  }

  #advance(page: IndexedPage | undefined): void {
    const { done, total, sections, characters } = this.#status.progress
    const texts = page?.sections ?? []
    const progress = {
      done: done + 1,
      total,
      sections: sections + texts.length,
      characters: characters + texts.reduce((sum, { text }) => sum + text.length, 0),
    }
    this.#status = { ...this.#status, progress }
    for (const listener of this.#listeners) listener(progress)
  }
}

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
