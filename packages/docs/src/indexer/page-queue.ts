import { setImmediate as nextTurn } from 'node:timers/promises'
import { raceAbort } from '#base/race-abort'
import { parseLocation } from '#fetch/protocol/parse-location'
import { DocsError, quoteValue } from '#formats/docs-error'
import type { PageReader } from '../page/page-reader.ts'
import { spellingsOf } from '../page-listing/follow-links.ts'
import { type ListedPage, type Listing, linkStamp } from '../page-listing/listing.ts'
import type { SourceLister } from '../page-listing/source-lister.ts'
import { indexedPage } from '../search-index/indexed-page.ts'
import { proposedPage } from '../search-index/proposed-page.ts'
import type { IndexedPage, KnownPage, SearchIndex } from '../search-index/search-index.ts'
import { type Batch, createBatch } from './batch.ts'
import { isPermanent, isStale } from './is-stale.ts'

/** How pages are read, and where they are indexed. */
export interface PageIndexing {
  index: SearchIndex
  reader: PageReader
  lister: SourceLister
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

/**
 * The pages of a source that are to be read. Those that a question needs are read first; while it
 * is answered, the others wait.
 */
export class PageQueue {
  readonly #options: QueueOptions
  readonly #batch: Batch
  #pending = new Map<string, ListedPage>()
  readonly #reading = new Map<string, Promise<void>>()
  #knownPages: Map<string, KnownPage> = new Map()
  /** All spellings of the pages listed or linked to so far. */
  #spellings = new Set<string>()
  /** URL prefix of the pages to which links are followed. */
  #below: string | undefined
  /** At most this many pages are proposed. */
  #maxListed = Number.POSITIVE_INFINITY
  /** Pages that may still be read in listed order. */
  #budget = 0
  #questions = 0
  #resume: (() => void) | undefined
  #paused: Promise<void> | undefined
  readonly forbidden: Set<string> = new Set()
  more = false

  constructor(options: QueueOptions) {
    this.#options = options
    this.#batch = createBatch((pages) => options.index.put(pages))
  }

  /** Pages that are not being read yet. */
  get pending(): ReadonlyMap<string, ListedPage> {
    return this.#pending
  }

  get size(): number {
    return this.#pending.size
  }

  /** Pages among them that were read before. */
  get rereads(): number {
    return [...this.#pending.keys()].filter((url) => {
      const page = this.#knownPages.get(url)
      return page && !page.isProposed && !page.failed
    }).length
  }

  /** Pages that are left to be read. */
  get left(): number {
    return this.#pending.size + this.#reading.size
  }

  /** Follow the links of pages. */
  follow(below: string, maxListed: number): void {
    this.#below = below
    this.#maxListed = maxListed
  }

  /**
   * Enter a new listing: propose its pages if requested, and queue those that are new or changed.
   * Pages that were found by links are read again when they are old.
   */
  async enter({ entries, links = [] }: Listing, propose: boolean): Promise<Set<string>> {
    await this.#recall()
    const urls = new Set<string>()
    for (const entry of entries) {
      const { location, stamp, file } = entry
      const url = this.#options.reader.nameOf(location)
      const page = this.#knownPages.get(url)
      urls.add(url)
      this.#see(url)
      if (propose && !page) await this.#batch.add(proposedPage(url, stamp, entry))
      // What the index has already need not be kept in memory.
      if (isStale(page, stamp)) this.#pending.set(url, { location, stamp, ...(file && { file }) })
      if (this.#options.closed.aborted) break
    }
    if (propose) this.#queueKnown(urls)
    await this.#propose(links)
    await this.#batch.flush()
    return urls
  }

  /** Queue what an earlier process left unread. */
  async resume(): Promise<void> {
    await this.#recall()
    this.#queueKnown(new Set())
  }

  async #recall(): Promise<void> {
    this.#knownPages = await this.#options.index.pages()
    this.#pending = new Map()
    this.#spellings = new Set()
    this.forbidden.clear()
    this.more = false
  }

  /** Queue pages of the index that were read long ago or not at all. */
  #queueKnown(listedUrls: ReadonlySet<string>): void {
    for (const [url, page] of this.#knownPages) {
      if (listedUrls.has(url)) continue
      this.#see(url)
      const stamp = listedUrls.size > 0 ? linkStamp : page.stamp
      if (isStale(page, stamp)) this.#pending.set(url, { location: parseLocation(url), stamp })
    }
  }

  #see(url: string): void {
    if (this.#below !== undefined) for (const name of spellingsOf(url)) this.#spellings.add(name)
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
    // Those that a question took, too.
    await Promise.all(this.#reading.values())
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
    const next = isAhead
      ? [...this.#pending.keys()].slice(0, Math.min(pagesAhead, this.#budget))
      : []
    const targets = [...new Set([...urls, ...next])]
    if (targets.length === 0 && isAhead) targets.push(...this.#reading.keys())
    if (targets.length === 0) return false
    // Another process may have listed them.
    if (targets.some((url) => !this.#pending.has(url) && !this.#knownPages.has(url)))
      this.#knownPages = await this.#options.index.pages()
    const reads = Promise.all(targets.map((url) => this.#reading.get(url) ?? this.#read(url)))
    await raceAbort(reads, ends).catch(() => {})
    await this.#batch.flush()
    return true
  }

  async idle(): Promise<void> {
    await Promise.all(this.#reading.values())
    await this.#batch.flush().catch(() => {})
  }

  #read(url: string): Promise<void> {
    const stamp = this.#knownPages.get(url)?.stamp ?? ''
    const entry = this.#pending.get(url) ?? { location: parseLocation(url), stamp }
    if (this.#pending.delete(url)) this.#budget--
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
    const previous = this.#knownPages.get(url)
    // A link may lead to anything; what a list names and cannot be read is counted.
    if (entry.stamp === linkStamp && isGone) {
      await this.#batch.flush()
      await index.remove([url])
    } else if (isGone || !previous || previous.failed || previous.isProposed)
      await index.putFailed(url, entry.stamp, page.message.slice(0, maxProblem))
    onRead(undefined)
  }

  async #load(url: string, { location, stamp }: ListedPage): Promise<IndexedPage> {
    const { reader, closed, lister } = this.#options
    const isLinked = stamp === linkStamp
    if (isLinked) await lister.follower.turn(url, closed)
    const read = await reader.read(location, { once: true })
    if (this.#below === undefined) return indexedPage(read.page, url, stamp)
    if (!isLinked) this.#see(read.page.url)
    else if (this.#isElsewhere(url, read.page.url))
      throw new DocsError(
        'not_found',
        `${quoteValue(url)} leads to another page.`,
        'Read that page.',
      )
    const links = read.outgoing ?? []
    const { follower } = lister
    const { allowed, forbidden, more } = await follower.pagesOf(links, this.#below, read.page.url)
    this.more ||= more
    for (const link of forbidden) this.forbidden.add(link)
    await this.#propose(allowed)
    return indexedPage(read.page, url, isLinked ? '' : stamp)
  }

  /** True if a link was redirected to a page that is outside the site or already listed. */
  #isElsewhere(url: string, targetUrl: string): boolean {
    const [name = ''] = spellingsOf(targetUrl)
    if (spellingsOf(url).includes(name)) return false
    if (!targetUrl.startsWith(this.#below ?? '') || this.#spellings.has(name)) return true
    this.#see(targetUrl)
    return false
  }

  async #propose(links: readonly ListedPage[]): Promise<void> {
    for (const link of links) {
      const url = this.#options.reader.nameOf(link.location)
      const pending = this.#pending.get(url)
      const isListed = spellingsOf(url).some((name) => this.#spellings.has(name))
      // Further links to a page tell more about it.
      if (isListed && (pending?.stamp !== linkStamp || !isMore(pending, link))) continue
      if (!isListed && this.#spellings.size >= this.#maxListed) {
        this.more = true
        continue
      }
      const entry = { ...link, text: `${pending?.text ?? ''} ${link.text?.trim() ?? ''}` }
      this.#see(url)
      this.#pending.set(url, entry)
      await this.#batch.add(proposedPage(url, linkStamp, entry))
    }
  }
}

/** Characters of the reason why a page could not be read. */
const maxProblem = 300

/** Characters of the texts of links by which a page is found before it is read. */
const maxLinkText = 400

const isMore = ({ text: previousText = '' }: ListedPage, { text = '' }: ListedPage): boolean =>
  previousText.length < maxLinkText && !previousText.includes(text.trim())
