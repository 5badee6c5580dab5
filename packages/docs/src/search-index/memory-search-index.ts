import { termsOf } from '@pith-mcp/scorer'
import { isRegionOf } from './language.ts'
import type {
  Candidate,
  CandidateOptions,
  Failure,
  IndexedPage,
  IndexedText,
  IndexTotals,
  KnownPage,
  SearchIndex,
} from './search-index.ts'
import { maxPartsAround } from './section-text.ts'
import { nearestWords, wordsIn } from './words.ts'

interface Item {
  section: Omit<Candidate, 'hasAll'>
  /** Those of its text, its titles and its id. */
  terms: Set<string>
}

interface Entry extends KnownPage {
  page?: IndexedPage
  problem?: string
  sections: Item[]
}

/** A search index in memory, for environments without SQLite. */
export const createMemoryIndex = (): SearchIndex => new MemorySearchIndex()

class MemorySearchIndex implements SearchIndex {
  readonly #entries = new Map<string, Entry>()
  readonly #postings = new Map<string, Set<Item>>()
  /** Words of all sections, also of those that were removed, as in SQLite. */
  readonly #words = new Set<string>()
  readonly #states = new Map<string, string>()
  #rows = 0
  #lease: { holder: string; until: number } | undefined

  async put(pages: readonly IndexedPage[]): Promise<void> {
    for (const page of pages) {
      if (page.isProposed && this.#entries.get(page.url)?.isProposed === false) continue
      this.#drop(page.url)
      this.#enter(page)
    }
  }

  async tidy(): Promise<void> {}

  async putFailed(url: string, stamp: string, problem: string): Promise<void> {
    this.#drop(url)
    this.#entries.set(url, {
      stamp,
      readAt: Date.now(),
      failed: true,
      isProposed: false,
      problem,
      sections: [],
    })
  }

  async failures(limit: number): Promise<Failure[]> {
    return [...this.#entries]
      .flatMap(([url, { failed, problem = '' }]) => (failed ? [{ url, problem }] : []))
      .slice(-limit)
      .reverse()
  }

  async remove(urls: readonly string[]): Promise<void> {
    for (const url of urls) this.#drop(url)
  }

  async pages(): Promise<Map<string, KnownPage>> {
    return new Map(this.#entries)
  }

  async headings(url: string): Promise<IndexedPage['headings']> {
    return this.#entries.get(url)?.page?.headings ?? []
  }

  async sectionText({ url, id, row }: Candidate): Promise<string> {
    const sections = this.#entries.get(url)?.sections.map(({ section }) => section) ?? []
    const isNear = (place: number): boolean => Math.abs(place - row) <= maxPartsAround
    const parts = sections.filter((section) => section.id === id && isNear(section.row))
    return parts.map(({ text }) => text).join('')
  }

  async pagesLike(text: string, limit: number): Promise<{ url: string; title: string }[]> {
    const needle = text.toLowerCase()
    return [...this.#entries.values()]
      .flatMap(({ page }) => (page ? [{ url: page.url, title: page.title }] : []))
      .filter(({ url, title }) => `${url}\n${title}`.toLowerCase().includes(needle))
      .sort((a, b) => (a.url < b.url ? -1 : 1))
      .slice(0, limit)
  }

  async totals(): Promise<IndexTotals> {
    const languages = new Map<string, number>()
    let sections = 0
    let failed = 0
    let proposed = 0
    let leftOut = 0
    for (const entry of this.#entries.values()) {
      if (entry.failed) failed++
      if (entry.page?.leftOut) leftOut++
      if (entry.isProposed) proposed++
      else sections += entry.sections.length
      const language = entry.page?.language
      if (language !== undefined) languages.set(language, (languages.get(language) ?? 0) + 1)
    }
    const pages = this.#entries.size - failed - proposed
    return { pages, proposed, sections, failed, leftOut, languages }
  }

  async itemsWith(terms: readonly string[]): Promise<number[]> {
    return terms.map((term) => this.#postings.get(term)?.size ?? 0)
  }

  async candidates(
    words: readonly (readonly string[])[],
    { limit, language }: CandidateOptions,
  ): Promise<Candidate[]> {
    const perPage = new Map<string, number>()
    const knownWords = words.filter((terms) => terms.some((term) => this.#postings.has(term)))
    return [...this.#worths(knownWords)]
      .filter(([{ section }]) => {
        const tag = this.#entries.get(section.url)?.page?.language
        if (language === undefined) return true
        return tag === undefined ? section.isProposed === true : isRegionOf(tag, language)
      })
      .sort(([, a], [, b]) => b.all - a.all || b.rarity - a.rarity)
      .filter(([{ section }]) => isWithin(perPage, section.url))
      .slice(0, limit)
      .map(([{ section }, { all }]) => ({ ...section, hasAll: all === knownWords.length }))
  }

  async wordsLike(word: string): Promise<string[]> {
    return nearestWords(word.toLowerCase(), this.#words)
  }

  async termsBeginning(text: string, limit: number): Promise<string[]> {
    return [...this.#postings.keys()]
      .filter((term) => term.startsWith(text))
      .sort()
      .slice(0, limit)
  }

  async state(key: string): Promise<string | undefined> {
    return this.#states.get(key)
  }

  async setState(key: string, value: string): Promise<void> {
    this.#states.set(key, value)
  }

  async lease(holder: string, milliseconds: number): Promise<boolean> {
    const now = performance.now()
    if (this.#lease && this.#lease.holder !== holder && this.#lease.until > now) return false
    this.#lease = { holder, until: now + milliseconds }
    return true
  }

  async release(holder: string): Promise<void> {
    if (this.#lease?.holder === holder) this.#lease = undefined
  }

  close(): void {}

  /** For each section with one of the words: their number, and the sum of their rarities. */
  #worths(words: readonly (readonly string[])[]): Map<Item, { all: number; rarity: number }> {
    const worths = new Map<Item, { all: number; rarity: number }>()
    for (const terms of words) {
      const items = new Set(terms.flatMap((term) => [...(this.#postings.get(term) ?? [])]))
      const termRarity = 1 / Math.log(2 + items.size)
      for (const item of items) {
        const { all, rarity } = worths.get(item) ?? { all: 0, rarity: 0 }
        worths.set(item, { all: all + 1, rarity: rarity + termRarity })
      }
    }
    return worths
  }

  #enter(page: IndexedPage): void {
    const sections = page.sections.map((text) => this.#enterSection(page, text))
    this.#entries.set(page.url, {
      stamp: page.stamp,
      readAt: Date.now(),
      failed: false,
      isProposed: page.isProposed === true,
      page,
      sections,
    })
  }

  #enterSection(page: IndexedPage, text: IndexedText): Item {
    const { heading, path, id } = text
    const textTerms = page.isProposed ? text.text.split(' ') : termsOf(text.text)
    const terms = new Set([...termsOf([heading, id, page.title, ...path].join('\n')), ...textTerms])
    const section = {
      ...text,
      url: page.url,
      pageTitle: page.title,
      ...(page.isProposed && { isProposed: page.isProposed }),
      row: this.#rows++,
      pageSections: page.sections.length,
      terms: textTerms.join(' '),
    }
    const item = { section, terms }
    for (const term of terms) {
      const items = this.#postings.get(term)
      if (items) items.add(item)
      else this.#postings.set(term, new Set([item]))
    }
    for (const word of wordsIn(page.isProposed ? heading : `${heading}\n${text.text}`))
      this.#words.add(word)
    return item
  }

  #drop(url: string): void {
    for (const item of this.#entries.get(url)?.sections ?? []) this.#dropSection(item)
    this.#entries.delete(url)
  }

  #dropSection(item: Item): void {
    for (const term of item.terms) {
      const items = this.#postings.get(term)
      items?.delete(item)
      if (items?.size === 0) this.#postings.delete(term)
    }
  }
}

/** At most ten sections of a page, so that one page does not hide the others. */
function isWithin(perPage: Map<string, number>, url: string): boolean {
  const count = perPage.get(url) ?? 0
  perPage.set(url, count + 1)
  return count < maxPerPage
}

const maxPerPage = 10
