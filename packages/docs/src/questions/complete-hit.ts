import type { Page } from '@pith-mcp/cleaner'
import { createSectionRanker, excerptOf } from '@pith-mcp/scorer'
import { headingsOf } from '../search-index/indexed-page.ts'
import { pathOf, textOf } from '../search-index/section-text.ts'
import { excerptLength, type SearchHit } from './search-in.ts'

const mostHeadings = 30
/** What an answer waits for the pages that its hits are on, all together. */
const readMs = 8_000

export interface CompleteOptions {
  query: string
  includeHeadings: boolean
  read: (url: string) => Promise<Page>
  /** Ends the wait for pages; what is known without them is answered. */
  over: AbortSignal
}

/** Ends when pages have been waited for long enough, or nobody waits any more. */
export const readingEnds = (signal: AbortSignal | undefined): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(readMs), ...(signal ? [signal] : [])])

/** A hit, and what it takes to say all that is said of one. */
export interface Pending {
  hit: SearchHit
  /** Only the page is known, not which of its sections. */
  isPageOnly: boolean
  /** Titles of sections that the site's search thinks of. */
  recommended: readonly string[]
  headings(): Promise<Heading[]>
}

type Heading = { id: string; title: string; level: number }

/** What the search of a site does not say is read from the page: the section, an excerpt, headings. */
export async function completed(
  { hit, isPageOnly, recommended, headings }: Pending,
  { query, includeHeadings, read, over }: CompleteOptions,
): Promise<SearchHit> {
  const known = includeHeadings ? await headings() : []
  const isPageNeeded = isPageOnly || (includeHeadings && known.length === 0)
  const page = isPageNeeded ? await unlessOver(over, () => read(hit.url)) : undefined
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
  const named = byId.get(decoded(hit.url.split('#')[1] ?? ''))
  const [best] = createSectionRanker(page.sections, {
    heading: ({ title }) => title,
    text: ({ blocks }) => textOf(blocks),
    id: ({ id }) => id,
    path: (section) => pathOf(section, byId).join(' '),
  }).rank(query)
  const [thought] = recommended.flatMap(
    (wanted) => page.sections.find(({ title }) => title === wanted) ?? [],
  )
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
function unlessOver<T>(over: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  if (over.aborted) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const giveUp = (): void => resolve(undefined)
    over.addEventListener('abort', giveUp)
    work()
      .then(resolve, giveUp)
      .finally(() => over.removeEventListener('abort', giveUp))
  })
}

/** A fragment as ids are written, if it is one that can be. */
function decoded(fragment: string): string {
  try {
    return decodeURI(fragment)
  } catch {
    return fragment
  }
}
