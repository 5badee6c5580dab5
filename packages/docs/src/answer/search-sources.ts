import type { Page } from '@pith-mcp/cleaner'
import { createSectionRanker, excerptOf } from '@pith-mcp/scorer'
import pLimit from 'p-limit'
import { DocsError } from '../docs-error.ts'
import { headingsOf } from '../indexing/indexed-page.ts'
import type { IndexProgress, IndexStatus } from '../indexing/source-index.ts'
import type { OpenIndex } from '../indexing/source-indexes.ts'
import { askSite, type SiteOutcome } from './ask-site.ts'
import type { Repair } from './repair-query.ts'
import { excerptLength, resultsWanted, type SearchHit, type SearchOptions } from './search-in.ts'
import { searchIndexes } from './search-indexes.ts'
import { pathOf, textOf } from './section-text.ts'

export interface SearchedSource extends Omit<IndexStatus, 'problem'> {
  name: string
  /** Why the source could not be listed; what was read of it before is searched all the same. */
  problem?: string
  pages: number
  sections: number
  /** Pages that could not be read. */
  failed: number
  /** The search of the site itself, if it has one, and why it could not be asked as it should be. */
  site?: { name: string; problem?: string }
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
  /** Values by which the search can be narrowed, by the names of filters. */
  facets?: Record<string, string[]>
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
    ({ isComplete, pages }, at) => isComplete && pages > 0 && listings[at] === undefined,
  )
  return isLost ? searchOnce(opened, query, options, read) : answer
}

async function searchOnce(
  opened: readonly OpenIndex[],
  query: string,
  options: SearchCall,
  read: (url: string) => Promise<Page>,
): Promise<SearchAnswer> {
  const maxResults = resultsWanted(options.maxResults)
  const { language, filters, signal } = options
  const outcomes = await Promise.all(
    opened.map((one) => askSite(one, query, { maxResults, language, filters, signal })),
  )
  const isIndexed = outcomes.map((outcome) => outcome?.hits === undefined)
  if (filters && Object.keys(filters).length > 0 && isIndexed.every(Boolean)) throw noFilters()
  const own = await searchIndexes(
    opened.filter((_, at) => isIndexed[at]),
    query,
    options,
  )
  const pending = merged<Pending>(
    [
      own.hits.map(({ item, index, ...hit }) => ({
        hit,
        isPageOnly: item.isTerms === true,
        recommended: [],
        headings: () => index.headings(item.url),
      })),
      ...outcomes.map((outcome) =>
        (outcome?.hits ?? []).map(({ isPageOnly, recommended, ...hit }) => ({
          hit,
          isPageOnly,
          recommended,
          headings: async () => [],
        })),
      ),
    ],
    maxResults,
  )
  const limit = pLimit(readAtOnce)
  const hits = await Promise.all(
    pending.map((one) =>
      limit(() => completed(one, query, options.includeHeadings ?? false, read)),
    ),
  )
  const asked = outcomes.filter((outcome) => outcome?.hits !== undefined)
  const otherLanguages =
    own.otherLanguages ?? asked.find((outcome) => outcome?.otherLanguages)?.otherLanguages
  const facets = asked.find((outcome) => outcome?.facets)?.facets
  let indexed = 0
  return {
    query,
    hits,
    matchingPages: asked.reduce((sum, one) => sum + (one?.matching ?? 0), own.matchingPages),
    isAll: own.isAll && asked.every((one) => one?.isAll),
    repairs: own.repairs,
    misses: own.misses,
    ...(otherLanguages && { otherLanguages: [...otherLanguages] }),
    ...(facets && { facets }),
    sources: opened.map(({ source }, at) => {
      const outcome = outcomes[at]
      if (outcome?.hits) return askedSource(source.name, outcome)
      const searched = own.sources[indexed++] as SearchedSource
      return outcome ? { ...searched, site: siteOf(outcome) } : searched
    }),
  }
}

/** What is said of a source whose own search was asked: nobody counted its pages. */
function askedSource(name: string, outcome: SiteOutcome): SearchedSource {
  return {
    name,
    rung: outcome.rung,
    isComplete: true,
    progress: { done: 0, total: 0, sections: 0, characters: 0 },
    more: false,
    forbidden: 0,
    pages: 0,
    sections: 0,
    failed: 0,
    site: siteOf(outcome),
  }
}

const siteOf = ({ rung, problem }: SiteOutcome): NonNullable<SearchedSource['site']> => ({
  name: rung,
  ...(problem !== undefined && { problem }),
})

/** Lists that nobody can compare by their scores, by their ranks: the first of each, then the second. */
function merged<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  const all: T[] = []
  for (let at = 0; at < longest && all.length < most; at++)
    for (const list of lists) {
      const one = list[at]
      if (one !== undefined) all.push(one)
    }
  return all.slice(0, most)
}

function noFilters(): DocsError {
  return new DocsError(
    'bad_argument',
    'The sources have no filters: their own indexes are searched.',
    'Search without filters, or name one source that has them.',
  )
}

/** A hit, and what it takes to say all that is said of one. */
interface Pending {
  hit: SearchHit
  /** Only the page is known, not which of its sections. */
  isPageOnly: boolean
  /** Titles of sections that the site's search thinks of. */
  recommended: readonly string[]
  headings(): Promise<Heading[]>
}

type Heading = { id: string; title: string; level: number }

/** What the search of a site does not say is read from the page: the section, an excerpt, headings. */
async function completed(
  { hit, isPageOnly, recommended, headings }: Pending,
  query: string,
  includeHeadings: boolean,
  read: (url: string) => Promise<Page>,
): Promise<SearchHit> {
  const known = includeHeadings ? await headings() : []
  const isPageNeeded = isPageOnly || (includeHeadings && known.length === 0)
  const page = isPageNeeded ? await within(readMs, read(hit.url)) : undefined
  return {
    ...hit,
    ...(page && isPageOnly && bestSection(page, query, hit, recommended)),
    ...(includeHeadings && shownHeadings(page ? headingsOf(page) : known)),
  }
}

function bestSection(
  page: Page,
  query: string,
  hit: SearchHit,
  recommended: readonly string[],
): Partial<SearchHit> {
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const named = byId.get(decodeURI(hit.url.split('#')[1] ?? ''))
  const [best] = createSectionRanker(page.sections, {
    heading: ({ title }) => title,
    text: ({ blocks }) => textOf(blocks),
    id: ({ id }) => id,
    path: (section) => pathOf(section, byId).join(' '),
  }).rank(query)
  const thought = page.sections.find(({ title }) => recommended.includes(title))
  const section = named ?? thought ?? best?.item ?? page.sections[0]
  if (!section) return {}
  const excerpt = excerptOf(textOf(section.blocks), query, excerptLength)
  return {
    url: `${hit.url.split('#')[0]}#${encodeURI(section.id)}`,
    title: page.title || hit.title,
    section: section.title || page.title,
    path: pathOf(section, byId),
    // What a site's search says of a page is better than the beginning of a page without the words.
    excerpt: (best && excerpt) || hit.excerpt || excerpt,
  }
}

/** Up to 30 headings; of a page with more, those of the first three levels. */
function shownHeadings(all: readonly Heading[]): Pick<SearchHit, 'headings' | 'headingsOmitted'> {
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
