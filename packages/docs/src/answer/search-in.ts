import { excerptOf, type Ranked } from '@pith-mcp/scorer'
import type { IndexedPage, IndexedSection, IndexState } from '../site/site-index.ts'

export interface SearchOptions {
  /** 1–20, default 5. */
  maxResults?: number
  /** Also the headings of each page found. */
  includeHeadings?: boolean
}

export interface SearchHit {
  /** Accepted by every other call; the fragment names the section. */
  url: string
  title: string
  /** The section that matches best, with the titles around it. */
  section: string
  path: string[]
  /** At most 200 characters: the sentences that say most of what was asked. */
  excerpt: string
  score: number
  reasons: string[]
  headings?: { id: string; title: string; level: number }[]
  /** Headings of the page that `headings` leaves out. */
  headingsOmitted?: number
}

export interface SearchAnswer {
  query: string
  hits: SearchHit[]
  /** Pages with at least one match, shown or not. */
  matchingPages: number
  searchedPages: number
  searchedSections: number
  /** Pages that could not be read. */
  failedPages: number
  /** True if the sources hold more pages than are searched. */
  morePages: boolean
}

const mostHeadings = 30
const excerptLength = 200

/** The best section of each page that matches. */
export function searchIn(state: IndexState, query: string, options: SearchOptions): SearchAnswer {
  const wanted = Math.min(Math.max(1, Math.floor(options.maxResults ?? 5) || 1), 20)
  const best = new Map<string, Ranked<IndexedSection>>()
  for (const hit of state.ranker.rank(query))
    if (!best.has(hit.item.url)) best.set(hit.item.url, hit)
  return {
    query,
    hits: [...best.values()].slice(0, wanted).map(({ item, score, reasons }) => ({
      url: `${item.url}#${encodeURI(item.id)}`,
      title: item.pageTitle,
      section: item.title,
      path: item.path,
      excerpt: excerptOf(item.text, query, excerptLength),
      score,
      reasons,
      ...(options.includeHeadings && headingsOf(state.pages.get(item.url))),
    })),
    matchingPages: best.size,
    searchedPages: state.pages.size,
    searchedSections: state.sections,
    failedPages: state.failed,
    morePages: state.more,
  }
}

/** Up to 30 headings; of a page with more, those of the first three levels. */
function headingsOf(
  page: IndexedPage | undefined,
): Pick<SearchHit, 'headings' | 'headingsOmitted'> {
  const all = page?.headings ?? []
  const upper = all.length > mostHeadings ? all.filter(({ level }) => level <= 3) : all
  const headings = upper.slice(0, mostHeadings)
  return { headings, headingsOmitted: all.length - headings.length }
}
