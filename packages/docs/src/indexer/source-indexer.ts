import { setTimeout as sleep } from 'node:timers/promises'
import { forProcessorTime } from '#base/processor-time'
import { raceAbort, timeLimit } from '#base/race-abort'
import { type FolderWatch, watchFolders } from '#base/watch-folders'
import type { OpenSite } from '#sites/site-search/open-sites'
import { type DocsSource, isOneLibrary } from '../page-listing/docs-source.ts'
import { viaLinks } from '../page-listing/follow-links.ts'
import { listedMsOf } from '../page-listing/list-files.ts'
import { emptyListing } from '../page-listing/listing.ts'
import { listedPerRead } from '../page-listing/source-lister.ts'
import type { IndexProgress } from '../protocol/call-options.ts'
import type { IndexedPage, SearchIndex } from '../search-index/search-index.ts'
import { PageQueue } from './page-queue.ts'
import { readMatching } from './read-matching.ts'
import {
  type IndexStatus,
  type RefreshOptions,
  removeOthers,
  type SourceIndexOptions,
  type StoredListing,
  storedFrom,
  storedListing,
  storeListing,
  toTimerMs,
} from './source-index.ts'

/** The lease of a killed process expires after `leaseMs`; a running one renews it every `beatMs`. */
const leaseMs = 15_000
const beatMs = 4_000
/** Milliseconds between attempts to get the lease. */
const turnMs = 500
/** After this many changed pages the index is optimised. */
const manyPages = 200
/** Wait of further searches once one has waited for the first pages. */
const shortWaitMs = 1_000
/** Milliseconds of processor time for the other files, before a question is answered. */
const othersMs = 800
const nothing: IndexProgress = { done: 0, total: 0, sections: 0, characters: 0 }

/** Keeps the index of one source up to date. Pages read before an abort or failure are stored. */
export class SourceIndexer {
  readonly source: DocsSource
  readonly index: SearchIndex
  /** Listed pages can be searched before they are read. */
  readonly #proposes: boolean
  readonly #options: SourceIndexOptions
  readonly queue: PageQueue
  /** Of a folder. */
  readonly #watch: FolderWatch | undefined
  readonly #listeners = new Set<(progress: IndexProgress) => void>()
  #running: Promise<void> | undefined
  /** Resolves when the pages of a site are listed. */
  #listing: Promise<void> = Promise.resolve()
  #isReading = false
  #startedAt = 0
  /** Time of the listing of which all pages are read. */
  #readAt = 0
  #status: IndexStatus = {
    via: '',
    isComplete: false,
    progress: nothing,
    more: false,
    forbidden: 0,
  }

  constructor(options: SourceIndexOptions) {
    this.source = options.source
    this.index = options.index
    this.#proposes = options.source.kind === 'site'
    this.#options = options
    this.#watch = this.source.kind === 'folder' ? watchFolders([this.source.path]) : undefined
    options.closed.addEventListener('abort', () => this.#watch?.close(), { once: true })
    this.queue = new PageQueue({ ...options, onRead: (page) => this.#advance(page) })
  }

  /** The site's own search, if it has one. */
  async site(): Promise<OpenSite | undefined> {
    const { source, index } = this
    return source.kind === 'site' ? this.#options.sites.of(source.url, index) : undefined
  }

  /** Detect the site's search again, after it did not answer. */
  async forgetSite(): Promise<void> {
    const { source, index } = this
    if (source.kind === 'site') await this.#options.sites.forget(source.url, index)
  }

  status(): IndexStatus {
    // The last pages may have been read for a question, for which the background waits.
    if (!this.#isReading || !this.queue.isDone) return this.#status
    return { ...this.#status, isComplete: true, more: this.#status.more || this.queue.size > 0 }
  }

  /** Pause the background while a question is answered; call the result after it. */
  hold(): () => void {
    return this.#proposes ? this.queue.hold() : () => {}
  }

  /**
   * List the source again if that is due. Resolves when its pages can be searched, or with the
   * current state when `waitMs` is over. What is not read then is read in the background.
   */
  async refresh(options: RefreshOptions = {}): Promise<IndexStatus> {
    const { fresh = false, onProgress } = options
    const listing = await this.#recall()
    const validMs = this.#options.offline
      ? Number.POSITIVE_INFINITY
      : await listedMsOf(this.source, listing?.via ?? '', this.#running ? undefined : this.#watch)
    const isRecent = listing !== undefined && Date.now() - listing.listedAt < validMs
    const isDone = this.#status.isComplete && !this.#running && !fresh
    if (isRecent && (validMs === Number.POSITIVE_INFINITY || isDone)) return this.status()
    if (!this.#running) this.#start(isRecent && !fresh)
    if (onProgress) this.#listeners.add(onProgress)
    // What is listed is searched immediately and read in the background.
    const isUsable = listing !== undefined && this.#proposes && !fresh
    await this.#wait(isUsable ? 0 : this.#patience(options.waitMs), options).finally(
      () => onProgress && this.#listeners.delete(onProgress),
    )
    return this.status()
  }

  /** Milliseconds that a search waits, which are fewer once another has waited. */
  #patience(waitMs = Number.POSITIVE_INFINITY): number {
    const hasWaited = performance.now() - this.#startedAt > waitMs
    return hasWaited ? Math.min(waitMs, shortWaitMs) : waitMs
  }

  /** Ends the wait, not the work: a later search uses its result. */
  async #wait(ms: number, { signal, fresh, query }: RefreshOptions): Promise<void> {
    const isBounded = ms < Number.POSITIVE_INFINITY
    const ends = isBounded ? timeLimit(toTimerMs(ms), signal) : signal
    const isQuestion = query !== undefined && isBounded && !fresh && !isOneLibrary(this.source)
    const all = () => (isQuestion && ends ? this.#readFor(query, ends) : this.#running)
    const work = this.#proposes && !fresh ? this.#listing : all()
    await raceAbort(work ?? Promise.resolve(), ends).catch((error) => {
      if (signal?.aborted || !ends?.aborted) throw error
    })
  }

  async #readFor(query: string, ends: AbortSignal): Promise<void> {
    await this.#listing
    await readMatching(this.queue, query, ends)
    // Those that were being read already may have the words, too.
    await raceAbort(this.queue.idle(), ends).catch(() => {})
    await forProcessorTime(othersMs, this.#running ?? Promise.resolve())
  }

  /** Resolves when the work under way has ended. */
  async idle(): Promise<void> {
    await this.#running
    await this.queue.idle()
  }

  /** The listing that an earlier run of this or another process has stored, and its state. */
  async #recall(): Promise<StoredListing | undefined> {
    const listing = await storedListing(this.index)
    if (!listing || this.#running) return listing
    const { listedAt, ...stored } = listing
    const { proposed } = await this.index.totals()
    const isComplete = proposed === 0 || this.#readAt === listedAt
    this.#status = { ...stored, isComplete, progress: this.#status.progress }
    this.#follow(listing.follow)
    return listing
  }

  #follow(below: string | undefined): void {
    if (below !== undefined) this.queue.follow(below, this.#options.maxPages * listedPerRead)
  }

  #start(isListed: boolean): void {
    this.#startedAt = performance.now()
    let onListed = (): void => {}
    this.#listing = new Promise((resolve) => {
      onListed = resolve
    })
    this.#running = this.#update(isListed, onListed).finally(() => {
      this.#running = undefined
      onListed()
    })
  }

  /** List the source unless that was done, and read what is new. */
  async #update(isListed: boolean, onListed: () => void): Promise<void> {
    const { index } = this
    const { holder } = this.#options
    let beat: NodeJS.Timeout | undefined
    try {
      const turn = await this.#acquireLease(onListed)
      if (turn === 'none') return
      beat = setInterval(() => void index.lease(holder, leaseMs).catch(() => {}), beatMs)
      beat.unref()
      if (isListed || turn === 'listed') await this.#readRest(onListed)
      else await this.#list(onListed)
    } catch (error) {
      this.#watch?.invalidate()
      this.#status = {
        ...this.#status,
        problem: error instanceof Error ? error : new Error(String(error)),
        isComplete: false,
      }
    } finally {
      clearInterval(beat)
      await this.queue.idle()
      await index.release(holder).catch(() => {})
    }
  }

  /** List the source, read what is new, remove what is gone, and store the listing. */
  async #list(onListed: () => void): Promise<void> {
    const { source, index } = this
    const { lister, reader, closed } = this.#options
    const listing = await lister.list(source, closed, this.#watch)
    const { via, follow, pages = [] } = listing
    const { listedAt: _, ...stored } = storedFrom(listing, listing.forbidden ?? 0)
    this.#status = { ...stored, isComplete: false, progress: { ...nothing } }
    const count = listing.entries.length + pages.length
    // Of a site without a list, only the first page is known; its error tells why.
    if (source.kind === 'site' && (count === 0 || (via === viaLinks && count === 1)))
      await reader.read({ kind: 'web', url: source.url }, { once: true })
    if (count === 0) throw emptyListing(listing)
    this.#follow(follow)
    for (let at = 0; at < pages.length; at += manyPages)
      await index.put(pages.slice(at, at + manyPages))
    for (const page of pages) this.#advance(page)
    const urls = await this.queue.enter(listing, this.#proposes)
    if (closed.aborted) return
    const snapshot = storedFrom(listing, this.#status.forbidden)
    // A site may have pages that it does not list.
    if (this.#proposes) await storeListing(this.index, snapshot)
    else await removeOthers(index, urls)
    await this.#read(onListed, snapshot)
    if (!this.#proposes && !closed.aborted) await storeListing(this.index, snapshot)
  }

  /** Read what an earlier process listed. */
  async #readRest(onListed: () => void): Promise<void> {
    const listing = await storedListing(this.index)
    this.#follow(listing?.follow)
    await this.queue.resume()
    if (listing) await this.#read(onListed, listing)
  }

  async #read(onListed: () => void, listing: StoredListing): Promise<void> {
    const { closed, maxPages } = this.#options
    const { pages } = await this.index.totals()
    const total = this.queue.size
    const { progress } = this.#status
    this.#status = {
      ...this.#status,
      isComplete: total === 0,
      progress: { ...progress, total: progress.done + total },
    }
    onListed()
    const most = maxPages - pages + this.queue.rereads
    this.#isReading = this.#proposes
    await this.queue.readAll(this.#proposes ? most : total)
    this.#isReading = false
    if (closed.aborted) return
    if (this.#status.progress.done >= manyPages) await this.index.tidy()
    this.#readAt = listing.listedAt
    const more = listing.more || this.queue.more || this.queue.size > 0
    const forbidden = listing.forbidden + this.queue.forbidden.size
    this.#status = { ...this.#status, more, forbidden, isComplete: true }
    if (this.#proposes) await storeListing(this.index, { ...listing, more, forbidden })
  }

  /**
   * Wait until no other process updates the index. `listed` if that process has listed the source;
   * its pages can be searched while it reads on.
   */
  async #acquireLease(onListed: () => void): Promise<'first' | 'listed' | 'none'> {
    const { holder, closed } = this.#options
    for (let waits = 0; !closed.aborted; waits++) {
      const isHolder = await this.index.lease(holder, leaseMs)
      const listing = waits > 0 ? await storedListing(this.index) : undefined
      const isNew =
        listing && Date.now() - listing.listedAt <= performance.now() - this.#startedAt + turnMs
      if (isHolder) return isNew ? 'listed' : 'first'
      if (isNew && this.#proposes) onListed()
      const via = listing?.via ?? 'read by another process'
      this.#status = { ...this.#status, isComplete: false, via }
      await sleep(turnMs, undefined, { signal: closed }).catch(() => {})
    }
    return 'none'
  }

  #advance(page: IndexedPage | undefined): void {
    const { done, total, sections, characters } = this.#status.progress
    const texts = page?.sections ?? []
    const progress = {
      done: done + 1,
      total: total === 0 ? 0 : done + Math.max(1, this.queue.left),
      sections: sections + texts.length,
      characters: characters + texts.reduce((sum, { text }) => sum + text.length, 0),
    }
    this.#status = { ...this.#status, progress }
    for (const listener of this.#listeners) listener(progress)
  }
}
