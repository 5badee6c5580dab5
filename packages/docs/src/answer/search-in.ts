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
  /** At most 200 characters around the first word found. */
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
  const best = new Map<string, { item: IndexedSection; score: number; reasons: string[] }>()
  for (const hit of state.ranker.rank(query))
    if (!best.has(hit.item.url)) best.set(hit.item.url, hit)
  return {
    query,
    hits: [...best.values()].slice(0, wanted).map(({ item, score, reasons }) => ({
      url: `${item.url}#${encodeURI(item.id)}`,
      title: item.pageTitle,
      section: item.title,
      path: item.path,
      excerpt: excerptAround(item.text, query),
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

function excerptAround(markdown: string, query: string): string {
  const text = markdown.replace(/\s+/g, ' ').trim()
  const lower = text.toLowerCase()
  const found = query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (word === '' ? -1 : lower.indexOf(word)))
    .filter((at) => at >= 0)
  const first = found.length > 0 ? Math.min(...found) : 0
  if (text.length <= excerptLength) return text
  // Begin a little before the word, at a blank, and leave room for the ellipses.
  const from = first < 60 ? 0 : text.indexOf(' ', first - 60) + 1 || first
  const room = excerptLength - 2
  const end = from + room >= text.length ? text.length : text.lastIndexOf(' ', from + room)
  const cut = text.slice(from, end > from ? end : from + room)
  return `${from > 0 ? '…' : ''}${cut}${from + cut.length < text.length ? '…' : ''}`
}
