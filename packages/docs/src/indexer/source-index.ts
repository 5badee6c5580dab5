import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { IndexProgress } from '../common/call-options.ts'
import { DocsError } from '../common/docs-error.ts'
import { unlessGivenUp } from '../common/give-up.ts'
import type { Location } from '../common/parse-location.ts'
import type { ReadPage } from '../page/page-reader.ts'
import type { ListedPage, Listing } from '../page-listing/listing.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import type { IndexedPage, KnownPage, SearchIndex } from '../search-index/search-index.ts'
import { createBatch } from './batch.ts'

/** What is known of a source, and how. */
export interface IndexStatus {
  /** How the source was searched: `Sphinx index`, `sitemap`, `files`; empty before it was tried. */
  rung: string
  /** False while pages are being read. */
  isComplete: boolean
  progress: IndexProgress
  /** True if the source has more pages than are searched. */
  more: boolean
  /** Pages that were left out because robots.txt forbids them. */
  forbidden: number
  /** Why the source could not be listed; what was read of it before is searched all the same. */
  problem?: Error
}

interface RefreshOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
  /** How long to wait for pages that are being read. Infinity waits for all. */
  waitMs?: number
  /** Whatever was found lately: list the pages again, and wait for all. */
  anew?: boolean
}

export interface SourceIndexOptions {
  index: SearchIndex
  /** The pages there are now. */
  list: (signal: AbortSignal) => Promise<Listing>
  read: (location: Location) => Promise<ReadPage>
  /** The URL of a page in the index. */
  nameOf: (location: Location) => string
  /** How long a list of pages is taken as it was, by the way it was had. */
  listedMs: (rung: string) => number
  /** Tells this process from others that may update the same index. */
  holder: string
  /** Ends reading at once. */
  closed: AbortSignal
}

export interface SourceIndex {
  readonly index: SearchIndex
  /** Read what is new or changed since the last time; gives what there is when the wait is over. */
  refresh(options?: RefreshOptions): Promise<IndexStatus>
  /** Ends when the work that is going on has ended. */
  idle(): Promise<void>
}

const pagesAtOnce = 4
/** A process that was killed is waited for so long; one that lives says so more often. */
const leaseMs = 15_000
const beatMs = 4_000
/** How often one who waits looks whether it is its turn. */
const turnMs = 500
/** After so many pages the index is worth tidying. */
const manyPages = 200
/** A page that failed is tried again, but not at every search. */
const retryMs = 5 * 60_000
/** Who has waited for the first pages once is not made to wait as long again. */
const shortWaitMs = 1_000
/** A page of the web that says nothing of its changes is asked again after this. */
const askAgainMs = 24 * 60 * 60_000
const nothing: IndexProgress = { done: 0, total: 0, sections: 0, characters: 0 }

/** Keeps the index of one source up to date. What was read is kept, whatever ends the work. */
export function createSourceIndex(options: SourceIndexOptions): SourceIndex {
  const { index, list, read, nameOf, listedMs, holder, closed } = options
  const listeners = new Set<(progress: IndexProgress) => void>()
  let running: Promise<void> | undefined
  let startedAt = 0
  let status: IndexStatus = {
    rung: '',
    isComplete: false,
    progress: nothing,
    more: false,
    forbidden: 0,
  }

  return {
    index,
    async refresh({ signal, onProgress, waitMs = Number.POSITIVE_INFINITY, anew = false } = {}) {
      const known = await recall()
      const validMs = listedMs(known?.rung ?? '')
      const isRecent = known && Date.now() - known.listedAt < validMs
      if (isRecent && (!anew || validMs === Number.POSITIVE_INFINITY)) return status
      // What was complete once is searched as it is, and brought up to date meanwhile.
      const isUsable = known !== undefined && validMs > 0
      if (!running) startedAt = performance.now()
      running ??= update(isUsable).finally(() => {
        running = undefined
      })
      const hasWaited = performance.now() - startedAt > waitMs
      const patience = isUsable && !anew ? 0 : hasWaited ? Math.min(waitMs, shortWaitMs) : waitMs
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

  /** What an earlier run, of this process or another, has left. */
  async function recall(): Promise<{ listedAt: number; rung: string } | undefined> {
    const text = await index.state('listing')
    if (text === undefined) return undefined
    const { rung, more, forbidden, listedAt } = JSON.parse(text) as IndexStatus & {
      listedAt: number
    }
    if (!running) status = { rung, more, forbidden, isComplete: true, progress: status.progress }
    return { listedAt, rung }
  }

  async function update(isUsable: boolean): Promise<void> {
    if (!(await takeTurn())) return
    const beat = setInterval(() => void index.lease(holder, leaseMs).catch(() => {}), beatMs)
    beat.unref()
    const batch = createBatch((pages) => index.put(pages))
    try {
      const listing = await list(closed)
      const { rung, more } = listing
      status = { rung, more, forbidden: 0, isComplete: isUsable, progress: { ...nothing } }
      const wanted = listing.pages
        ? await takePages(listing.pages, listing.total ?? 0, batch.add)
        : await readPages(listing.entries, batch.add)
      await batch.flush()
      if (closed.aborted) return
      if (wanted.size === 0) throw emptyListing()
      // What could not be reached now is not gone.
      if (!listing.isPartial?.()) {
        const gone = [...(await index.pages()).keys()].filter((url) => !wanted.has(url))
        if (gone.length > 0) await index.remove(gone)
      }
      if (status.progress.done >= manyPages) await index.tidy()
      const state = {
        rung,
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

  /** Wait until no other process reads the source; false if that one has done what was to do. */
  async function takeTurn(): Promise<boolean> {
    for (let waits = 0; !closed.aborted; waits++) {
      if (await index.lease(holder, leaseMs)) {
        const known = waits > 0 ? await recall() : undefined
        if (!known || Date.now() - known.listedAt > waits * turnMs + turnMs) return true
        status = { ...status, rung: known.rung, isComplete: true }
        await index.release(holder)
        return false
      }
      status = { ...status, isComplete: false, rung: 'read by another process' }
      await sleep(turnMs, undefined, { signal: closed }).catch(() => {})
    }
    return false
  }

  async function takePages(
    pages: Iterable<IndexedPage> | AsyncIterable<IndexedPage>,
    total: number,
    add: (page: IndexedPage) => Promise<void>,
  ): Promise<Set<string>> {
    const wanted = new Set<string>()
    status.progress = { ...status.progress, total }
    for await (const page of pages) {
      if (closed.aborted) break
      wanted.add(page.url)
      await add(page)
      advance(page)
    }
    return wanted
  }

  async function readPages(
    entries: readonly ListedPage[],
    add: (page: IndexedPage) => Promise<void>,
  ): Promise<Set<string>> {
    const known = await index.pages()
    const named = entries.map((entry) => ({ ...entry, url: nameOf(entry.location) }))
    const stale = named.filter(({ url, stamp }) => isStale(known.get(url), stamp))
    const limit = pLimit(pagesAtOnce)
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
          // Cleaning a page is work for the processor; let the server answer in between.
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
  return stamp === '' && age > askAgainMs
}

/** A page that cannot be reached now stays as it was read before; one that is gone does not. */
const isKept = (error: Error, known: KnownPage | undefined): boolean =>
  known !== undefined &&
  !known.failed &&
  !(error instanceof DocsError && ['not_found', 'unsupported_type'].includes(error.code))

function emptyListing(): DocsError {
  return new DocsError(
    'not_found',
    'The source has no pages.',
    'Name a folder with pages of HTML or Markdown, or the URL of a page.',
  )
}

/** Give up waiting, not the work: the next search finds it done. */
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
    await unlessGivenUp(Promise.race([work, ...patience]), signal)
  } finally {
    over.abort()
  }
}
