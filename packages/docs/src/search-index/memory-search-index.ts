import { termsOf } from '@pith-mcp/scorer'
import { isRegionOf } from './language.ts'
import type { IndexedPage, IndexedSection, KnownPage, SearchIndex } from './search-index.ts'
import { nearestWords, wordsIn } from './words.ts'

interface Entry extends KnownPage {
  page?: IndexedPage
  sections: { section: IndexedSection; terms: Set<string> }[]
}

/** A search index in memory, for environments without SQLite. */
export function createMemoryIndex(): SearchIndex {
  const entries = new Map<string, Entry>()
  const sectionsWith = new Map<string, Set<Entry['sections'][number]>>()
  const words = new Map<string, number>()
  const states = new Map<string, string>()
  let lease: { holder: string; until: number } | undefined

  return {
    async put(pages) {
      for (const page of pages) {
        drop(page.url)
        enter(page)
      }
    },
    async tidy() {},
    async putFailed(url, stamp) {
      drop(url)
      entries.set(url, { stamp, readAt: Date.now(), failed: true, sections: [] })
    },
    async remove(urls) {
      for (const url of urls) drop(url)
    },
    async pages() {
      return new Map(entries)
    },
    async headings(url) {
      return entries.get(url)?.page?.headings ?? []
    },
    async pagesLike(text, limit) {
      const needle = text.toLowerCase()
      return [...entries.values()]
        .flatMap(({ page }) => (page ? [{ url: page.url, title: page.title }] : []))
        .filter(({ url, title }) => `${url}\n${title}`.toLowerCase().includes(needle))
        .sort((a, b) => (a.url < b.url ? -1 : 1))
        .slice(0, limit)
    },
    async totals() {
      const languages = new Map<string, number>()
      let sections = 0
      let failed = 0
      for (const entry of entries.values()) {
        if (entry.failed) failed++
        sections += entry.sections.length
        const language = entry.page?.language
        if (language !== undefined) languages.set(language, (languages.get(language) ?? 0) + 1)
      }
      return { pages: entries.size - failed, sections, failed, languages }
    },
    async itemsWith(terms) {
      return terms.map((term) => sectionsWith.get(term)?.size ?? 0)
    },
    async candidates(terms, { limit, language, onlyAll = false }) {
      const perPage = new Map<string, number>()
      const knownTerms = [...new Set(terms)].filter((term) => sectionsWith.has(term)).length
      const worth = new Map<Entry['sections'][number], { all: number; rarity: number }>()
      for (const term of new Set(terms)) {
        const having = sectionsWith.get(term) ?? []
        for (const item of having) {
          const { all, rarity } = worth.get(item) ?? { all: 0, rarity: 0 }
          worth.set(item, {
            all: all + 1,
            rarity: rarity + 1 / Math.log(2 + (sectionsWith.get(term)?.size ?? 0)),
          })
        }
      }
      return [...worth]
        .filter(([, { all }]) => !onlyAll || all === knownTerms)
        .filter(([{ section }]) => {
          const own = entries.get(section.url)?.page?.language
          return language === undefined || (own !== undefined && isRegionOf(own, language))
        })
        .sort(([, a], [, b]) => b.all - a.all || b.rarity - a.rarity)
        .filter(([{ section }]) => isWithin(perPage, section.url))
        .slice(0, limit)
        .map(([{ section }, { all }]) => ({ ...section, hasAll: all === knownTerms }))
    },
    async wordsLike(word) {
      return nearestWords(word.toLowerCase(), words.keys())
    },
    async state(key) {
      return states.get(key)
    },
    async setState(key, value) {
      states.set(key, value)
    },
    async lease(holder, milliseconds) {
      const now = performance.now()
      if (lease && lease.holder !== holder && lease.until > now) return false
      lease = { holder, until: now + milliseconds }
      return true
    },
    async release(holder) {
      if (lease?.holder === holder) lease = undefined
    },
    close() {},
  }

  function enter(page: IndexedPage): void {
    const sections = page.sections.map((text) => {
      const section: IndexedSection = { ...text, url: page.url, pageTitle: page.title }
      const { heading, path, id } = text
      const textTerms = text.isTermsOnly ? text.text.split(' ') : termsOf(text.text)
      const terms = new Set([
        ...termsOf([heading, id, page.title, ...path].join('\n')),
        ...textTerms,
      ])
      const item = { section, terms }
      for (const term of terms) {
        const having = sectionsWith.get(term)
        if (having) having.add(item)
        else sectionsWith.set(term, new Set([item]))
      }
      for (const word of wordsOf(section)) words.set(word, (words.get(word) ?? 0) + 1)
      return item
    })
    entries.set(page.url, {
      stamp: page.stamp,
      readAt: Date.now(),
      failed: false,
      page,
      sections,
    })
  }

  function drop(url: string): void {
    for (const item of entries.get(url)?.sections ?? []) {
      for (const term of item.terms) {
        const having = sectionsWith.get(term)
        having?.delete(item)
        if (having?.size === 0) sectionsWith.delete(term)
      }
      for (const word of wordsOf(item.section)) {
        const left = (words.get(word) ?? 0) - 1
        if (left > 0) words.set(word, left)
        else words.delete(word)
      }
    }
    entries.delete(url)
  }
}

const wordsOf = ({ heading, text, isTermsOnly }: IndexedSection): Set<string> =>
  wordsIn(isTermsOnly ? heading : `${heading}\n${text}`)

/** At most ten sections of a page, so that one page does not hide the others. */
function isWithin(perPage: Map<string, number>, url: string): boolean {
  const taken = perPage.get(url) ?? 0
  perPage.set(url, taken + 1)
  return taken < maxPerPage
}

const maxPerPage = 10
