import { DocsError } from '../docs-error.ts'
import type { OpenIndex } from '../indexing/source-indexes.ts'
import { localeFor, withoutLocale } from '../sites/locales.ts'
import type { OpenSite } from '../sites/open-sites.ts'
import type { SiteAnswer, SiteHit } from '../sites/site.ts'
import { excerptLength, type SearchHit } from './search-in.ts'

export interface SiteQuestion {
  /** Hits that are wanted, of different pages. */
  maxResults: number
  language?: string | undefined
  filters?: Readonly<Record<string, readonly string[]>> | undefined
  signal?: AbortSignal | undefined
}

/** What a site's own search found; `hits` is absent if it could not be asked. */
export interface SiteOutcome {
  /** How the answer was had, or was tried: the name of the search. */
  rung: string
  hits?: SiteSearchHit[]
  /** Pages that match, as far as is known. */
  matching: number
  isAll: boolean
  facets?: Record<string, string[]>
  /** Languages there are, if none is the one that was asked for. */
  otherLanguages?: readonly string[]
  /** Why it could not be asked, or only in a way that finds less. */
  problem?: string
}

interface SiteSearchHit extends SearchHit {
  /** The page has to be read to know the section. */
  isPageOnly: boolean
  /** Titles of sections that the search thinks of. */
  recommended: readonly string[]
}

/** Several hits may be of one page, and some of another part of the site. */
const askedFor = (maxResults: number): number => Math.min(Math.max(20, 3 * maxResults), 100)

/** The answer of the search that a source has itself; undefined if it has none. */
export async function askSite(
  { source, site, forgetSite }: OpenIndex,
  query: string,
  question: SiteQuestion,
): Promise<SiteOutcome | undefined> {
  const open = await site()
  if (!open?.site.search || source.kind !== 'site') return undefined
  const { adapter } = open
  const { signal } = question
  const limit = askedFor(question.maxResults)
  const { filters } = question
  const { language, otherLanguages } = readLanguage(open, question.language)
  const rung = adapter.title
  try {
    const answer = await open.site.search(query, { limit, language, filters, signal })
    if (answer.problem !== undefined) await forgetSite()
    return {
      rung,
      ...hitsOf(answer, source.url, source.name, question.maxResults),
      isAll: answer.hits.length < limit,
      ...(answer.facets && { facets: answer.facets }),
      ...(otherLanguages && { otherLanguages }),
      ...(answer.problem !== undefined && { problem: answer.problem }),
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof DocsError) || error.code === 'bad_argument') throw error
    await forgetSite()
    return { rung, matching: 0, isAll: true, problem: `${error.message} ${error.remedy}` }
  }
}

/** Names by which the search of a source can be narrowed. */
export async function filtersOf({ site }: OpenIndex): Promise<readonly string[]> {
  const open = await site()
  return (open?.site.search && open.adapter.filters) || []
}

function readLanguage({ adapter }: OpenSite, language: string | undefined) {
  const { languages } = adapter
  if (language === undefined || !languages) return { language }
  const locale = localeFor(language, languages)
  return locale === undefined
    ? { language: undefined, otherLanguages: languages }
    : { language: locale }
}

/** The best hit of each page below the source. */
function hitsOf(answer: SiteAnswer, source: string, name: string, maxResults: number) {
  const isWanted = within(source)
  const pages = new Map<string, SiteHit>()
  for (const hit of answer.hits) {
    const [page = ''] = hit.url.split('#')
    if (isWanted(hit.url) && !pages.has(page)) pages.set(page, hit)
  }
  const all = [...pages.values()]
  return {
    hits: all.slice(0, maxResults).map((hit, at) => searchHit(hit, at, name)),
    matching: Math.max(all.length, isWanted.isAll ? (answer.total ?? 0) : 0),
  }
}

function searchHit(hit: SiteHit, at: number, source: string): SiteSearchHit {
  const { url, title, path, excerpt, recommended = [] } = hit
  return {
    url,
    title,
    section: path.at(-1) ?? title,
    path: path.slice(0, -1),
    excerpt: cut(excerpt),
    score: 1 / (at + 1),
    reasons: [],
    source,
    isPageOnly: !url.includes('#') || excerpt === '',
    recommended,
  }
}

function cut(text: string): string {
  if (text.length <= excerptLength) return text
  const end = text.lastIndexOf(' ', excerptLength)
  return `${text.slice(0, end > excerptLength / 2 ? end : excerptLength - 1)}…`
}

/** Whether a page lies below a source, in whatever language. */
function within(source: string): { (url: string): boolean; isAll: boolean } {
  const { pathname } = new URL('.', source)
  const folder = withoutLocale(pathname)
  const isBelow = (url: string): boolean => withoutLocale(new URL(url).pathname).startsWith(folder)
  return Object.assign(isBelow, { isAll: folder === '/' })
}
