import { DocsError } from '../common/docs-error.ts'
import { unlessGivenUp } from '../common/give-up.ts'
import type { OpenIndex } from '../indexer/source-indexes.ts'
import { addressesOf } from '../site-search/given-sites.ts'
import type { OpenSite } from '../site-search/open-sites.ts'
import { localeFor, withoutLocale } from '../site-search/port/locales.ts'
import type { SiteHit } from '../site-search/port/site.ts'
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

/** Several hits may be of one page, and of a part of a site most may be of others. */
const askedFor = (maxResults: number, isAll: boolean): number =>
  isAll ? Math.min(Math.max(20, 3 * maxResults), 100) : 100

/** The answer of the search that a source has itself; undefined if it has none. */
export async function askSite(
  { source, site, forgetSite }: OpenIndex,
  query: string,
  question: SiteQuestion,
): Promise<SiteOutcome | undefined> {
  const { signal, filters, maxResults } = question
  const open = await unlessGivenUp(site(), signal)
  if (!open?.site.search || source.kind !== 'site') return undefined
  const { adapter } = open
  const isWanted = within(source.url, open)
  const limit = askedFor(maxResults, isWanted.isAll)
  const { language, otherLanguages } = readLanguage(open, question.language?.trim() || undefined)
  const rung = adapter.title
  try {
    const answer = await open.site.search(query, { limit, language, filters, signal })
    if (answer.problem !== undefined) await forgetSite()
    const wanted = answer.hits.filter(({ url }) => isWanted(url))
    if (wanted.length === 0 && answer.hits.length > 0) return failed(rung, noneHere(rung))
    const { facets, problem, isOtherLanguage } = answer
    const others = otherLanguages ?? (isOtherLanguage ? [] : undefined)
    const total = isWanted.isAll ? (answer.total ?? 0) : 0
    return {
      rung,
      ...hitsOf(wanted, source.name, maxResults, total),
      isAll:
        answer.total === undefined
          ? answer.hits.length < limit
          : answer.total <= answer.hits.length,
      ...(facets && { facets }),
      ...(others && { otherLanguages: others }),
      ...(problem !== undefined && { problem }),
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof DocsError) || error.code === 'bad_argument') throw error
    await forgetSite()
    return failed(rung, `${error.message} ${error.remedy}`)
  }
}

const failed = (rung: string, problem: string): SiteOutcome => ({
  rung,
  matching: 0,
  isAll: true,
  problem,
})

/** The search knows the whole site, and of the part that is wanted none of what it gave. */
const noneHere = (rung: string): string =>
  `What ${rung} found first is all on other parts of the site.`

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

/** The best hit of each page. */
function hitsOf(wanted: readonly SiteHit[], name: string, maxResults: number, total: number) {
  const pages = new Map<string, SiteHit>()
  for (const hit of wanted) {
    const [page = ''] = hit.url.split('#')
    if (!pages.has(page)) pages.set(page, hit)
  }
  const all = [...pages.values()]
  return {
    hits: all.slice(0, maxResults).map((hit, at) => searchHit(hit, at, name)),
    matching: Math.max(all.length, total),
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

interface Within {
  (url: string): boolean
  /** The source is the whole site. */
  isAll: boolean
}

/** Whether a page lies on the site of a source and below it, in whatever language. */
function within(source: string, choice: OpenSite): Within {
  const { pathname, hostname } = new URL('.', source)
  const folder = withoutLocale(pathname)
  const own = [hostname, ...addressesOf(choice).map((address) => address.hostname)].map(bare)
  const isBelow = (url: string): boolean => {
    const hit = new URL(url)
    const host = bare(hit.hostname)
    if (!own.some((name) => isSameSite(host, name))) return false
    const path = `${hit.pathname}/`
    return path.startsWith(pathname) || withoutLocale(path).startsWith(folder)
  }
  return Object.assign(isBelow, { isAll: folder === '/' })
}

const bare = (hostname: string): string => hostname.replace(/^www\./, '')

/** A host, or one that is below or above it: `docs.example.org` is of `example.org`. */
const isSameSite = (a: string, b: string): boolean =>
  a === b || (b.includes('.') && a.endsWith(`.${b}`)) || (a.includes('.') && b.endsWith(`.${a}`))
