import { excerptOf } from '@pith-mcp/scorer'
import { decoded } from '#base/decoded'
import { raceAbort } from '#base/race-abort'
import { DocsError } from '#formats/docs-error'
import type { OpenSite } from '#sites/site-search/open-sites'
import { localeFor, localeOf, withoutLocale } from '#sites/site-search/port/locales'
import type { SiteHit, SiteQuery } from '#sites/site-search/port/site'
import { addressesOf } from '#sites/site-search/site-settings'
import type { SourceIndexer } from '../indexer/source-indexer.ts'
import type { Pending } from './complete-hit.ts'
import { fuseRankings } from './fuse-rankings.ts'
import { languageOfQuery, type QueryLanguage } from './query-language.ts'
import { excerptLength } from './rank-index.ts'

interface SiteQuestion extends Omit<SiteQuery, 'limit'> {
  /** Number of requested hits, each from a different page. */
  maxResults: number
}

/** Result of a site's own search; `hits` is absent if it failed. */
export interface SiteOutcome {
  /** Name of the search. */
  via: string
  hits?: Pending[]
  /** Number of matching pages, as far as it is known. */
  matching: number
  isAll: boolean
  facets?: Record<string, string[]>
  /** Available languages, if the requested one is not among them. */
  otherLanguages?: readonly string[]
  queryLanguage?: QueryLanguage
  /** Why the search failed, or was replaced by a fallback. */
  problem?: string
}

/** Query the search of a source's site; undefined if it has none. */
async function querySiteSearch(
  indexer: SourceIndexer,
  query: string,
  question: SiteQuestion,
): Promise<SiteOutcome | undefined> {
  const { signal, filters, maxResults } = question
  const { source } = indexer
  const open = await raceAbort(indexer.site(), signal)
  if (!open?.site.search || source.kind !== 'site') return undefined
  const { adapter } = open
  const isRequested = within(source.url, open)
  // More hits than results are requested: several may be of one page, and for a part of a site most
  // may be outside it.
  const limit = isRequested.isAll ? Math.min(Math.max(20, 3 * maxResults), 100) : 100
  const tag = question.language?.trim() || undefined
  const { language, otherLanguages, queryLanguage } = readLanguage(open, source.url, tag, query)
  const via = adapter.title
  try {
    const answer = await open.site.search(query, { limit, language, filters, signal })
    if (answer.problem !== undefined) await indexer.forgetSite()
    const hitsBelow = answer.hits.filter(({ url }) => isRequested(url))
    // The search covers the whole site.
    if (hitsBelow.length === 0 && answer.hits.length > 0)
      return failed(via, `The first results of ${via} are all on other parts of the site.`)
    const requested = isRequested.isAll
      ? answer.hits.map((hit): FoundHit => (isRequested(hit.url) ? hit : elsewhere(hit)))
      : hitsBelow
    // The best hit of each page.
    const pages = requested.map(({ url }) => url.split('#')[0])
    const best = requested.filter((_, at) => pages.indexOf(pages[at]) === at)
    const { facets, problem, isOtherLanguage } = answer
    const otherTags = otherLanguages ?? (isOtherLanguage ? [] : undefined)
    const total = isRequested.isAll ? (answer.total ?? 0) : 0
    return {
      via,
      hits: best.slice(0, maxResults).map((hit, at) => pendingHit(hit, at, source.name, query)),
      matching: Math.max(best.length, total),
      isAll:
        answer.total === undefined
          ? answer.hits.length < limit
          : answer.total <= answer.hits.length,
      ...(facets && { facets }),
      ...(otherTags && { otherLanguages: otherTags }),
      ...(queryLanguage && !otherTags && { queryLanguage }),
      ...(problem !== undefined && { problem }),
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof DocsError) || error.code === 'bad_argument') throw error
    await indexer.forgetSite()
    return failed(via, `${error.message} ${error.remedy}`)
  }
}

/** The hits for several wordings as one outcome; a failure only if all fail. */
export async function querySite(
  indexer: SourceIndexer,
  queries: readonly string[],
  question: SiteQuestion,
): Promise<SiteOutcome | undefined> {
  const outcomes = await Promise.all(
    queries.map((query) => querySiteSearch(indexer, query, question)),
  )
  const answered = outcomes.filter((outcome) => outcome?.hits !== undefined)
  const [first = outcomes[0]] = answered
  if (first === undefined || answered.length < 2) return first
  const lists = answered.map((outcome) => outcome?.hits ?? [])
  const fused = fuseRankings(lists, ({ hit }) => hit.url.split('#')[0] ?? '')
  return {
    ...first,
    hits: fused.slice(0, question.maxResults).map(({ item }, place) => ({
      ...item,
      matching: item.matching.map((section) => ({ ...section, place })),
    })),
    // Which pages several wordings have in common is not known.
    matching: Math.max(fused.length, ...answered.map((outcome) => outcome?.matching ?? 0)),
    isAll: false,
  }
}

const failed = (via: string, problem: string): SiteOutcome => ({
  via,
  matching: 0,
  isAll: true,
  problem,
})

/** Names of the filters of a source's search. */
export async function filtersOf(indexer: SourceIndexer): Promise<readonly string[]> {
  const open = await indexer.site()
  return (open?.site.search && open.adapter.filters) || []
}

/** The language to search, and what to say about it. */
function readLanguage(
  { adapter }: OpenSite,
  source: string,
  language: string | undefined,
  query: string,
) {
  const { languages } = adapter
  if (!languages) return { language }
  if (language === undefined) {
    const siteTag = localeOf(source, languages)
    const queryLanguage = languageOfQuery(query, siteTag ? [siteTag, ...languages] : languages)
    const language = queryLanguage?.searched
    return { language, queryLanguage: queryLanguage && { ...queryLanguage, isOnly: true as const } }
  }
  const locale = localeFor(language, languages)
  return locale === undefined
    ? { language: undefined, otherLanguages: languages }
    : { language: locale }
}

interface FoundHit extends SiteHit, Pick<Pending, 'isElsewhere'> {}

function elsewhere(hit: SiteHit): FoundHit {
  const { host } = new URL(hit.url)
  return { ...hit, kind: hit.kind ? `${hit.kind}, ${host}` : host, isElsewhere: true }
}

function pendingHit(hit: FoundHit, at: number, source: string, query: string): Pending {
  const { url, title, path, excerpt, kind, recommended = [], isElsewhere = false } = hit
  return {
    hit: {
      url,
      title,
      section: path.at(-1) ?? title,
      path: path.slice(0, -1),
      excerpt: excerpt.length <= excerptLength ? excerpt : excerptOf(excerpt, query, excerptLength),
      score: 1 / (at + 1),
      reasons: [],
      source,
      ...(kind && { kind }),
    },
    matching: [
      {
        id: decoded(url.split('#')[1] ?? ''),
        title: path.at(-1) ?? title,
        path: path.slice(0, -1),
        place: at,
        ...(excerpt !== '' && { text: async () => excerpt }),
      },
    ],
    isPageOnly: !url.includes('#') || excerpt === '',
    isElsewhere,
    recommended,
  }
}

interface Within {
  (url: string): boolean
  /** The source is the whole site. */
  isAll: boolean
}

/** Tests if a page is on the site of a source and below it, in any language. */
function within(source: string, choice: OpenSite): Within {
  const { pathname, hostname } = new URL('.', source)
  const folder = withoutLocale(pathname)
  const hosts = [hostname, ...addressesOf(choice).map((address) => address.hostname)].map(bare)
  const isBelow = (url: string): boolean => {
    const hit = new URL(url)
    const host = bare(hit.hostname)
    if (!hosts.some((name) => isSameSite(host, name))) return false
    const path = `${hit.pathname}/`
    return path.startsWith(pathname) || withoutLocale(path).startsWith(folder)
  }
  return Object.assign(isBelow, { isAll: folder === '/' })
}

const bare = (hostname: string): string => hostname.replace(/^www\./, '')

/** True for the same host, a subdomain or a parent domain: `docs.example.org` and `example.org`. */
const isSameSite = (a: string, b: string): boolean =>
  a === b || (b.includes('.') && a.endsWith(`.${b}`)) || (a.includes('.') && b.endsWith(`.${a}`))
