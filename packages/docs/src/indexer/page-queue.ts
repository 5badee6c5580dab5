import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadPage } from '../page/read-page.ts'
import type { Crawler } from '../page-listing/crawl.ts'
import type { ListedPage } from '../page-listing/listing.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { type Location, parseLocation } from '../protocol/parse-location.ts'
import { raceAbort } from '../protocol/race-abort.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import { proposedPage } from '../search-index/proposed-page.ts'
import type { IndexedPage, KnownPage, SearchIndex } from '../search-index/search-index.ts'
import { type Batch, createBatch } from './batch.ts'

/** How pages are read, and where they are indexed. */
export interface PageIndexing {
  index: SearchIndex
  read: (location: Location) => Promise<ReadPage>
  /** URL of a page in the index. */
  nameOf: (location: Location) => string
  /** Aborts reading immediately. */
  closed: AbortSignal
}

interface QueueOptions extends PageIndexing {
  /** Called after each page; `undefined` stands for one that could not be read. */
  onRead: (page: IndexedPage | undefined) => void
}

const maxConcurrentPages = 4
/** Pages in listed order that are read for a question which the listing does not answer. */
const pagesAhead = 12
/** Milliseconds before a page that failed is read again. */
const retryMs = 5 * 60_000
/** Milliseconds after which a web page without a change date is read again. */
const revalidateMs = 24 * 60 * 60_000

/**
 * The pages of a source that are to be read. Those that a question needs are read first; while it
 * is answered, the others wait.
 */
export class PageQueue {
  readonly #options: QueueOptions
  readonly #batch: Batch
  #pending = new Map<string, ListedPage>()
  readonly #reading = new Map<string, Promise<void>>()
  #known: Map<string, KnownPage> = new Map()
  /** All pages listed or linked to so far. */
  #seen = new Set<string>()
  #crawler: Crawler | undefined
  /** At most this many pages are proposed, of a source whose pages are found by their links. */
  #maxListed = Number.POSITIVE_INFINITY
  /** Pages that may still be read in listed order. */
  #budget = 0
  #questions = 0
  #resume: (() => void) | undefined
  #paused: Promise<void> | undefined
  readonly forbidden: Set<string> = new Set()
  /** A page failed for a transient reason. */
  hasFailed = false
  more = false

  constructor(options: QueueOptions) {
    this.#options = options
    this.#batch = createBatch((pages) => options.index.put(pages))
  }

  get size(): number {
    return this.#pending.size
  }

  /** Pages among them that were read before. */
  get rereads(): number {
    return [...this.#pending.keys()].filter((url) => {
      const known = this.#known.get(url)
      return known && !known.isProposed && !known.failed
    }).length
  }

  /** Pages that are left to be read. */
  get left(): number {
    return this.#pending.size + this.#reading.size
  }

  /** Pages are read by following their links. */
  follow(crawler: Crawler, maxListed: number): void {
    this.#crawler = crawler
    this.#maxListed = maxListed
  }

  /** Enter a new listing: propose its pages if requested, and queue those that are new or changed. */
  async enter(entries: readonly ListedPage[], propose: boolean): Promise<Set<string>> {
    this.#known = await this.#options.index.pages()
    this.#pending = new Map()
    this.forbidden.clear()
    this.hasFailed = false
    this.more = false
    this.#seen = new Set(entries.map(({ location }) => this.#options.nameOf(location)))
    for (const entry of entries) {
      const url = this.#options.nameOf(entry.location)
      const known = this.#known.get(url)
      if (propose && !known) await this.#batch.add(proposedPage(url, entry.stamp, entry))
      if (this.#crawler || isStale(known, entry.stamp))
        this.#pending.set(url, this.#crawler ? entry : light(entry))
      if (this.#options.closed.aborted) break
    }
    await this.#batch.flush()
    return this.#seen
  }

  /** Queue what an earlier process left unread. */
  async resume(): Promise<void> {
    this.#known = await this.#options.index.pages()
    this.#seen = new Set(this.#known.keys())
    this.#pending = new Map()
    for (const [url, known] of this.#known)
      if (isStale(known, known.stamp))
        this.#pending.set(url, { location: parseLocation(url), stamp: known.stamp })
  }

  /** True if nothing more is read in listed order. */
  get isDone(): boolean {
    return this.left === 0 || (this.#budget <= 0 && this.#reading.size === 0)
  }

  /** Read what is queued, at most `most` pages; resolves when that is done. */
  async readAll(most: number): Promise<void> {
    this.#budget = most
    const work = async (): Promise<void> => {
      while (this.#budget > 0 && !this.#options.closed.aborted) {
        if (this.#paused) await this.#paused
        const [next] = this.#pending.keys()
        if (next === undefined && this.#reading.size === 0) return
        // Pages that are being read may link to others.
        if (next === undefined) await Promise.race(this.#reading.values())
        else await this.#read(next)
        // Cleaning blocks the event loop; let other requests run between pages.
        await nextTurn()
      }
    }
    await Promise.all(Array.from({ length: maxConcurrentPages }, work))
    await this.#batch.flush()
  }

  /** Pause the reading of all pages while a question is answered; call the result after it. */
  hold(): () => void {
    this.#questions++
    this.#paused ??= new Promise((resolve) => {
      this.#resume = resolve
    })
    return () => {
      if (--this.#questions > 0) return
      this.#resume?.()
      this.#paused = undefined
    }
  }

  /**
   * Read pages for a question, and with `ahead` the next ones in listed order, until `ends` aborts;
   * false if there are no more. Pages that arrive later are indexed too.
   */
  async readNow(urls: readonly string[], isAhead: boolean, ends: AbortSignal): Promise<boolean> {
    await this.#batch.flush()
    const next = isAhead ? this.#next(Math.min(pagesAhead, this.#budget)) : []
    const wanted = [...new Set([...urls, ...next])]
    if (wanted.length === 0 && isAhead) wanted.push(...this.#reading.keys())
    if (wanted.length === 0) return false
    const reads = Promise.all(wanted.map((url) => this.#reading.get(url) ?? this.#read(url)))
    await raceAbort(reads, ends).catch(() => {})
    await this.#batch.flush()
    return true
  }

  /** The first pages in listed order; those that seem to list others come first. */
  #next(most: number): string[] {
    const urls = [...this.#pending.keys()]
    const lists = this.#crawler ? urls.filter((url) => listName.test(url)) : []
    return [...lists, ...urls].slice(0, Math.max(0, most))
  }

  async idle(): Promise<void> {
    await Promise.all(this.#reading.values())
    await this.#batch.flush().catch(() => {})
  }

  #read(url: string): Promise<void> {
    const entry = this.#pending.get(url) ?? { location: parseLocation(url), stamp: '' }
    this.#pending.delete(url)
    this.#budget--
    const work = this.#readEntry(url, entry).finally(() => this.#reading.delete(url))
    this.#reading.set(url, work)
    return work
  }

  async #readEntry(url: string, entry: ListedPage): Promise<void> {
    const { index, closed, onRead } = this.#options
    const page = await this.#load(url, entry).catch((error: unknown) => error)
    if (!(page instanceof Error)) {
      await this.#batch.add(page as IndexedPage)
      onRead(page as IndexedPage)
      return
    }
    if (closed.aborted) return
    const isGone = isPermanent(page)
    if (!isGone) this.hasFailed = true
    const known = this.#known.get(url)
    // A link may lead to anything; what a list names and cannot be read is counted.
    if (this.#crawler && isGone) await index.remove([url])
    else if (isGone || !known || known.failed || known.isProposed)
      await index.putFailed(url, this.#crawler ? '' : entry.stamp)
    onRead(undefined)
  }

  async #load(url: string, entry: ListedPage): Promise<IndexedPage> {
    const { read, closed } = this.#options
    if (!this.#crawler) return indexedPage((await read(entry.location)).page, url, entry.stamp)
    const { page, links, forbidden } = await this.#crawler(entry, closed)
    for (const link of forbidden) this.forbidden.add(link)
    await this.#propose(links)
    return page
  }

  async #propose(links: readonly ListedPage[]): Promise<void> {
    for (const link of links) {
      const url = this.#options.nameOf(link.location)
      const pending = this.#pending.get(url)
      if (this.#seen.has(url) && !pending) continue
      if (!pending && this.#seen.size >= this.#maxListed) {
        this.more = true
        return
      }
      const { text: known = '', stamp } = pending ?? link
      const more = link.text?.trim() ?? ''
      if (pending && (known.length > maxLinkText || known.includes(more))) continue
      const entry = { ...link, stamp, text: pending ? `${known} ${more}` : more }
      this.#seen.add(url)
      this.#pending.set(url, entry)
      if (this.#known.get(url)?.isProposed ?? true)
        await this.#batch.add(proposedPage(url, stamp, entry))
    }
  }
}

/** Names of pages that list others. */
const listName = /(?:index|contents|toc|sitemap)\.x?html?$/i
/** Characters of the texts of links by which a page is found before it is read. */
const maxLinkText = 1_000

/** What the index has already need not be kept in memory. */
const light = ({ location, stamp }: ListedPage): ListedPage => ({ location, stamp })

function isStale(known: KnownPage | undefined, stamp: string): boolean {
  if (!known || known.isProposed || known.stamp !== stamp) return true
  const age = Date.now() - known.readAt
  if (known.failed) return age > retryMs
  return stamp === '' && age > revalidateMs
}

/** A page that is gone is removed; a temporary failure leaves the indexed page in place. */
const isPermanent = (error: Error): boolean =>
  error instanceof DocsError && ['not_found', 'unsupported_type'].includes(error.code)
