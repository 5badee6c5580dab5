import type { HttpClient } from '#fetch/http-client'
import { DocsError } from '#formats/docs-error'
import {
  hitAt,
  hitsIn,
  type Json,
  listIn,
  plainText,
  requestJson,
  valueAt,
  withFragment,
} from './response.ts'
import {
  defineSite,
  type SiteAdapter,
  type SiteAnswer,
  type SiteHit,
  type SiteOptions,
  type SiteQuery,
} from './site.ts'
import { type Search, withFallback } from './with-fallback.ts'

/** An open site. `base` is the root of relative URLs. */
export interface Place<Name extends string> {
  options: Readonly<Record<Name, string>>
  source: string
  base: string
  client: HttpClient
}

/** `url` may be relative to the base of the site. `body` is sent as JSON in a POST request. */
interface Request {
  url: string
  params?: Readonly<Record<string, string | readonly string[] | undefined>>
  body?: object
  headers?: Readonly<Record<string, string>>
}

/** A result in the words of a service. `base` replaces that of the site. */
export interface Found {
  url: unknown
  title: unknown
  /** Titles of the section and those around it, outermost first; empty ones are left out. */
  headings?: readonly unknown[]
  /** The first that has text is used. */
  excerpts: readonly unknown[]
  fragment?: unknown
  sections?: string[]
  base?: string | undefined
}

/**
 * A service that answers a search with a list of results in JSON. Paths name members of the
 * response: `metadata.total.value`.
 */
export interface JsonSite<Name extends string>
  extends Omit<SiteAdapter<Readonly<Record<Name, string>>>, 'open'> {
  request(query: string, siteQuery: SiteQuery, place: Place<Name>): Request
  /** Of services that return few results at once: the parameter, results of a page, and pages. */
  paging?: { param: string; size: number; maxPages: number }
  /** If the language and the option `tags` leave nothing, the search is repeated without them. */
  isWidened?: boolean
  /** Path of the list, or a function that finds it. */
  results: string | ((response: Json, url: string) => Json[])
  /** Path of the number of all matches. */
  total?: string
  /** Path in a result of its score, if the list is not in order. */
  score?: string
  hit(result: Json, place: Place<Name>, response: Json): Found | undefined
  /** What else the response tells. @throws {DocsError} for a response that reports a failure. */
  rest?(response: Json, url: string, place: Place<Name>): object
  /** Finds less, when the search fails. */
  fallback?(place: Place<Name>): Search<SiteAnswer | undefined>
}

/** The base is the home page, or else the `base` that a page or the operator states. */
const baseOf = ({ home, base }: SiteOptions, source: string): string =>
  home ?? (base === undefined ? source : base || new URL('.', source).href)

export const jsonSite = <const Name extends string>(row: JsonSite<Name>): SiteAdapter =>
  defineSite<Name>({
    ...row,
    open(options, { client, source }) {
      const place = { options, source, base: baseOf(options, source), client }
      const search: Search<SiteAnswer> = (query, siteQuery) =>
        row.isWidened
          ? searchWidened(row, query, siteQuery, place)
          : searchBy(row, query, siteQuery, place)
      return { search: row.fallback ? withFallback(search, row.fallback(place)) : search }
    },
  })

async function searchWidened<Name extends string>(
  row: JsonSite<Name>,
  query: string,
  siteQuery: SiteQuery,
  place: Place<Name>,
): Promise<SiteAnswer> {
  const { language, filters = {}, signal } = siteQuery
  const { tags }: SiteOptions = place.options
  const searching = searchBy(row, query, siteQuery, place)
  if ((language === undefined && !tags) || Object.keys(filters).length > 0) return searching
  const firstAnswer = await searching.catch((error: unknown) => {
    // A service may reject filters on a field that the index lacks.
    if (!(error instanceof DocsError) || error.code !== 'unreachable' || error.status) throw error
    signal?.throwIfAborted()
  })
  if (firstAnswer && firstAnswer.hits.length > 0) return firstAnswer
  const { language: _, ...wider } = siteQuery
  const untagged = { ...place, options: { ...place.options, tags: '' } }
  const answer = await searchBy(row, query, wider, untagged)
  return { ...answer, ...(language && { isOtherLanguage: true }) }
}

async function searchBy<Name extends string>(
  row: JsonSite<Name>,
  query: string,
  siteQuery: SiteQuery,
  place: Place<Name>,
): Promise<SiteAnswer> {
  const { limit, signal } = siteQuery
  const { url: address, params = {}, body, headers } = row.request(query, siteQuery, place)
  const { param, size, maxPages } = row.paging ?? { param: '', size: limit, maxPages: 1 }
  const url = new URL(address, place.base)
  for (const [name, value = []] of Object.entries(params))
    for (const item of [value].flat()) url.searchParams.append(name, item)
  const path = typeof row.results === 'string' ? row.results : 'hits'
  const name = path.split('.').at(-1) ?? ''

  const first = await ask(1)
  const rest = row.rest?.(first, url.href, place)
  const count = row.total === undefined ? undefined : valueAt(first, row.total)
  const total = typeof count === 'number' ? count : row.paging && 0
  const pages = Math.min(Math.ceil(Math.min(limit, total ?? 0) / size), maxPages)
  const furtherPages = [...Array(Math.max(0, pages - 1)).keys()].map(async (at) =>
    // A failed further page does not discard the results of the others.
    ask(at + 2).then(resultsIn, () => []),
  )
  const results = [...resultsIn(first), ...(await Promise.all(furtherPages)).flat()]
  const { score } = row
  const scoreOf = (result: Json) => (score && Number(valueAt(result, score))) || 0
  const sorted = results.toSorted((a, b) => scoreOf(b) - scoreOf(a))
  const hits = hitsIn(sorted, name, limit, url.href, (result) => {
    const hit = row.hit(result, place, first)
    return hit ? hitOf(hit, place.base) : []
  })
  return { hits, ...(total !== undefined && { total }), ...rest }

  function ask(page: number): Promise<Json> {
    if (row.paging) url.searchParams.set(param, String(page))
    return requestJson(place.client, url, {
      ...(body && { body }),
      ...(headers && { headers }),
      signal,
    })
  }

  function resultsIn(response: Json): Json[] {
    return typeof row.results === 'string'
      ? listIn(valueAt(response, path), name, url.href)
      : row.results(response, url.href)
  }
}

function hitOf(
  { title, headings = [], excerpts, fragment, sections, ...address }: Found,
  base: string,
) {
  const hits = hitAt(address.url, address.base ?? base, {
    title,
    path: headings.map((heading) => plainText(heading, 300)).filter(Boolean),
    excerpt: excerpts.map((text) => plainText(text)).find(Boolean) ?? '',
    ...(sections && { sections }),
  })
  return hits.map((hit): SiteHit => ({ ...hit, url: withFragment(hit.url, fragment) }))
}
