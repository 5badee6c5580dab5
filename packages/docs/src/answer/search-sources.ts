import type { Page } from '@pith-mcp/cleaner'
import { createSectionRanker, excerptOf } from '@pith-mcp/scorer'
import pLimit from 'p-limit'
import { isRegionOf } from '../index/language.ts'
import type { IndexTotals } from '../index/search-index.ts'
import { headingsOf } from '../site/indexed-page.ts'
import type { OpenIndex } from '../site/site-indexes.ts'
import type { IndexProgress, IndexStatus } from '../site/source-index.ts'
import type { Repair } from './repair-query.ts'
import {
  excerptLength,
  type FoundHit,
  type SearchHit,
  type SearchOptions,
  searchIn,
} from './search-in.ts'
import { pathOf, textOf } from './section-text.ts'

export interface SearchedSource extends Omit<IndexStatus, 'problem'> {
  name: string
  /** Why the source could not be listed; what was read of it before is searched all the same. */
  problem?: string
  pages: number
  sections: number
  /** Pages that could not be read. */
  failed: number
}

export interface SearchAnswer {
  query: string
  hits: SearchHit[]
  /** Pages with a match, shown or not; at least so many if `isAll` is false. */
  matchingPages: number
  isAll: boolean
  sources: SearchedSource[]
  /** Words that no page has, and what was searched instead. */
  repairs: Repair[]
  /** Words that no page has, each with words that pages have. */
  misses: { word: string; nearest: string[] }[]
  /** Languages of the pages, if none is in the one that was asked for. */
  otherLanguages?: string[]
}

export interface SearchCall extends SearchOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
  /** How long to wait for pages that are being read for the first time. */
  waitMs: number
}

const mostHeadings = 30
const readAtOnce = 4
/** What an answer waits for pages that its hits are on. */
const readMs = 8_000

/**
 * Bring the indexes up to date, within the time there is, and search them; once more, if one of them
 * was found to be damaged and begun anew.
 */
export async function searchSources(
  opened: readonly OpenIndex[],
  query: string,
  options: SearchCall,
  read: (url: string) => Promise<Page>,
): Promise<SearchAnswer> {
  const answer = await searchOnce(opened, query, options, read)
  const listings = await Promise.all(opened.map(({ index }) => index.state('listing')))
  const isLost = answer.sources.some(
    ({ isComplete }, at) => isComplete && listings[at] === undefined,
  )
  return isLost ? searchOnce(opened, query, options, read) : answer
}

async function searchOnce(
  opened: readonly OpenIndex[],
  query: string,
  options: SearchCall,
  read: (url: string) => Promise<Page>,
): Promise<SearchAnswer> {
  const { signal, onProgress, waitMs } = options
  const statuses = await Promise.all(
    opened.map(({ refresh }) => refresh({ signal, onProgress, waitMs })),
  )
  const named = opened.map(({ source, index }) => ({ name: source.name, index }))
  let language = options.language?.trim() || undefined
  const totals = await Promise.all(opened.map(({ index }) => index.totals()))
  const spoken = totals.flatMap(({ languages }) => [...languages.keys()])
  let otherLanguages: string[] | undefined
  if (language !== undefined && !spoken.some((tag) => isRegionOf(tag, language ?? ''))) {
    otherLanguages = [...new Set(spoken)]
    language = undefined
  }
  const [problem] = statuses.map((status) => status.problem)
  const isNothing = totals.every(({ pages }) => pages === 0)
  if (problem && isNothing && statuses.every((status) => status.problem)) throw problem
  const { language: _, ...others } = options
  const found = await searchIn(named, query, {
    ...others,
    ...(language !== undefined && { language }),
  })
  const limit = pLimit(readAtOnce)
  const hits = await Promise.all(
    found.hits.map((hit) =>
      limit(() => completed(hit, query, options.includeHeadings ?? false, read)),
    ),
  )
  return {
    query,
    hits,
    matchingPages: found.matchingPages,
    isAll: found.isAll,
    repairs: found.repairs,
    misses: found.misses,
    ...(otherLanguages && { otherLanguages }),
    sources: opened.map(({ source }, at) =>
      searchedSource(source.name, statuses[at] as IndexStatus, totals[at] as IndexTotals),
    ),
  }
}

export function searchedSource(
  name: string,
  { problem, ...status }: IndexStatus,
  { pages, sections, failed }: IndexTotals,
): SearchedSource {
  return { name, ...status, pages, sections, failed, ...(problem && { problem: problem.message }) }
}

/** What the index of a site does not say is read from the page: the section, an excerpt, headings. */
async function completed(
  { item, index, ...hit }: FoundHit,
  query: string,
  includeHeadings: boolean,
  read: (url: string) => Promise<Page>,
): Promise<SearchHit> {
  const known = includeHeadings ? await index.headings(item.url) : []
  const isPageNeeded = item.isTerms || (includeHeadings && known.length === 0)
  const page = isPageNeeded ? await within(readMs, read(item.url)) : undefined
  const headings = page ? headingsOf(page) : known
  return {
    ...hit,
    ...(page && item.isTerms && bestSection(page, query, hit)),
    ...(includeHeadings && shownHeadings(headings)),
  }
}

function bestSection(page: Page, query: string, hit: SearchHit): Partial<SearchHit> {
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const named = byId.get(decodeURI(hit.url.split('#')[1] ?? ''))
  const [best] = createSectionRanker(page.sections, {
    heading: ({ title }) => title,
    text: ({ blocks }) => textOf(blocks),
    id: ({ id }) => id,
    path: (section) => pathOf(section, byId).join(' '),
  }).rank(query)
  const section = named ?? best?.item ?? page.sections[0]
  if (!section) return {}
  return {
    url: `${hit.url.split('#')[0]}#${encodeURI(section.id)}`,
    title: page.title || hit.title,
    section: section.title || page.title,
    path: pathOf(section, byId),
    excerpt: excerptOf(textOf(section.blocks), query, excerptLength),
  }
}

/** Up to 30 headings; of a page with more, those of the first three levels. */
function shownHeadings(
  all: readonly { id: string; title: string; level: number }[],
): Pick<SearchHit, 'headings' | 'headingsOmitted'> {
  const upper = all.length > mostHeadings ? all.filter(({ level }) => level <= 3) : all
  const headings = upper.slice(0, mostHeadings)
  return { headings, headingsOmitted: all.length - headings.length }
}

/** A page that is slow, or fails, must not hold back the others. */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, undefined)
    work.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}
