import type { Page, Section } from '@pith-mcp/cleaner'
import { excerptOf, readQuery, termsOf } from '@pith-mcp/scorer'
import { attempt } from '#base/attempt'
import { raceAbort, timeLimit } from '#base/race-abort'
import { DocsError } from '#formats/docs-error'
import { headingsOf, tokensById } from '../search-index/indexed-page.ts'
import type { IndexedPage } from '../search-index/search-index.ts'
import { pathOf, textOf } from '../search-index/section-text.ts'
import { excerptLength, type SearchHit } from './rank-index.ts'
import { rankPage } from './rank-page.ts'
import type { MatchingSection } from './show-sections.ts'

const maxHeadings = 30
/** Milliseconds that an answer waits for all pages of its hits together. */
const readMs = 8_000

export interface CompleteOptions {
  query: string
  includeHeadings: boolean
  /** Without it the hit stays what the search of the site returned. */
  isRead?: boolean
  read: (url: string) => Promise<Page>
  /** Ends the wait for pages; the hits are then returned without them. */
  over: AbortSignal
}

/** Aborts after `readMs`, or when the caller aborts. */
export const readingEnds = (signal: AbortSignal | undefined): AbortSignal =>
  timeLimit(readMs, signal)

/** A hit, and the data to complete it. */
export interface Pending {
  hit: Omit<SearchHit, 'sections'>
  matching: readonly MatchingSection[]
  /** The search returned a page without a section. */
  isPageOnly: boolean
  /** The page is not on the site of the source, and is not read. */
  isElsewhere?: boolean
  /** Titles of sections that the site's search recommends. */
  recommended: readonly string[]
  /** Those of the page, if its index has them. */
  headings?: () => Promise<Heading[]>
}

type Heading = IndexedPage['headings'][number]

/** Reads the page for what the search of the site does not return: section, excerpt, headings. */
export async function completed(
  { hit, matching, isPageOnly, isElsewhere, recommended, headings }: Pending,
  { query, includeHeadings, isRead = true, read, over }: CompleteOptions,
): Promise<Pick<Pending, 'hit' | 'matching'>> {
  const titles = includeHeadings ? ((await headings?.()) ?? []) : []
  const isPageNeeded =
    isRead && !isElsewhere && (isPageOnly || (includeHeadings && titles.length === 0))
  const outcome = isPageNeeded ? await readBefore(over, read, hit.url) : undefined
  const page = outcome instanceof Error ? undefined : outcome
  const found =
    page && isPageOnly ? foundOn(page, query, hit, recommended, matching[0]?.place) : undefined
  return {
    hit: {
      ...hit,
      ...found?.hit,
      ...(outcome instanceof Error && { problem: outcome.message }),
      ...(includeHeadings && shownHeadings(page ? headingsOf(page) : titles)),
    },
    matching: found?.matching ?? matching,
  }
}

/** The page, or why it cannot be read: a slow or failing page does not hold back the other hits. */
const readBefore = async (over: AbortSignal, read: CompleteOptions['read'], url: string) =>
  over.aborted
    ? undefined
    : raceAbort(read(url), over).catch((error) => (error instanceof DocsError ? error : undefined))

/** Further sections of a page come after the first ones of this many pages. */
const placesApart = 5
const maxSections = 4

function matchingSections(
  page: Page,
  sections: readonly Section[],
  place: number,
): MatchingSection[] {
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const tokens = tokensById(page)
  return sections.map((section, at) => ({
    id: section.id,
    title: section.title || page.title,
    path: pathOf(section, byId),
    place: place + at * placesApart,
    tokens: tokens.get(section.id),
    text: async () => textOf(section.blocks),
  }))
}

/** The best sections of a page, and the hit with the best one. */
function foundOn(
  page: Page,
  query: string,
  hit: Pending['hit'],
  recommended: readonly string[],
  place = 0,
): Pick<Pending, 'hit' | 'matching'> | undefined {
  const sections = bestSections(page, query, hit.url, recommended)
  const [best] = sections
  return (
    best && {
      hit: { ...hit, ...foundIn(page, best, query, hit) },
      matching: matchingSections(page, sections, place),
    }
  )
}

/** The section that the search of the site names, if it names one, and those that match best. */
function bestSections(
  page: Page,
  query: string,
  url: string,
  recommended: readonly string[],
): Section[] {
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const byFragment = byId.get(decodedFragment(url.split('#')[1] ?? ''))
  const ranked = rankPage(page, query)
  const [thought] = recommended.flatMap(
    (requested) => page.sections.find(({ title }) => title === requested) ?? [],
  )
  const choice = byFragment ?? thought
  const best = [...(choice ? [choice] : []), ...ranked.map(({ item }) => item)]
  return [...new Set(best.length > 0 ? best : page.sections.slice(0, 1))].slice(0, maxSections)
}

function foundIn(page: Page, section: Section, query: string, hit: Pending['hit']) {
  const byId = new Map(page.sections.map((each) => [each.id, each]))
  const excerpt = excerptOf(textOf(section.blocks), query, excerptLength)
  const queryTerms = readQuery(query).terms.filter(({ weight }) => weight > 0)
  const coverOf = (text: string): number => {
    const terms = new Set(termsOf(text))
    return queryTerms.filter(({ term }) => terms.has(term)).length
  }
  return {
    url: `${hit.url.split('#')[0]}#${encodeURI(section.id)}`,
    title: page.title || hit.title,
    section: section.title || page.title,
    path: pathOf(section, byId),
    // A summary by people tells more than a line that was found, if it has as much of the query.
    excerpt:
      hit.excerpt !== '' && coverOf(hit.excerpt) >= coverOf(excerpt)
        ? hit.excerpt
        : excerpt || hit.excerpt,
  }
}

/** Up to 30 headings; of a page with more, only levels 1 to 3. */
function shownHeadings(all: readonly Heading[]): Pick<SearchHit, 'headings' | 'headingsOmitted'> {
  const upper = all.length > maxHeadings ? all.filter(({ level }) => level <= 3) : all
  const headings = upper.slice(0, maxHeadings)
  return { headings, headingsOmitted: all.length - headings.length }
}

/** The fragment in the encoding of ids; unchanged if it is malformed. */
const decodedFragment = (fragment: string): string => attempt(() => decodeURI(fragment), fragment)
