import type { HttpClient } from '#fetch/http-client'
import { localeOfQuery } from '../port/locales.ts'
import {
  hitAt,
  hitsIn,
  isObject,
  objectsIn,
  plainText,
  requestJson,
  textsIn,
  webUrl,
} from '../port/response.ts'
import type { SiteAnswer, SiteHit, SiteQuery } from '../port/site.ts'

export const locales: readonly string[] =
  'en_us de_de es_es fr_fr id_id it_it ja_jp ko_kr pt_br zh_cn zh_tw'.split(' ')

interface AskContext {
  options: Readonly<Record<'searchUrl' | 'searchDomain' | 'neuronHome' | 'neuronDomain', string>>
  session: string
  /** Its path determines the language if the query names none; of the Neuron SDK, its pages only. */
  source: string
  client: HttpClient
}

const maxResults = 100
const maxQueryLength = 1_000

/** The request that the search box of the pages sends. */
export async function searchAws(
  query: string,
  { limit, language, filters = {}, intent, signal }: SiteQuery,
  { options, session, source, client }: AskContext,
): Promise<SiteAnswer> {
  const { searchUrl, searchDomain, neuronHome, neuronDomain } = options
  const domains =
    new URL(source).host === new URL(neuronHome).host
      ? [neuronDomain]
      : /neuron/i.test(query)
        ? [searchDomain, neuronDomain]
        : [searchDomain]
  const attribute = (key: string) => (value: string) => ({ key, value })
  const body = {
    textQuery: { input: query.slice(0, maxQueryLength) },
    contextAttributes: [
      ...domains.map(attribute('domain')),
      ...(filters['product'] ?? []).map(attribute('aws-docs-search-product')),
      ...(filters['guide'] ?? []).map(attribute('aws-docs-search-guide')),
    ],
    acceptSuggestionBody: 'RawText',
    // The service rejects requests with more or fewer than one locale.
    locales: [localeOfQuery(language, source, locales)],
    maxResults: Math.min(limit, maxResults),
  }
  const url = new URL(searchUrl)
  url.searchParams.set('session', session)
  const aim = intent?.replace(/\s+/g, ' ').trim()
  if (aim) url.searchParams.set('search_intent', aim.slice(0, maxQueryLength))
  const headers = { 'x-mcp-session-id': session }
  const response = await requestJson(client, url, { body, headers, signal })
  const { metadata, queryId } = response
  return {
    hits: hitsIn(
      response['suggestions'],
      'suggestions',
      limit,
      url.href,
      ({ textExcerptSuggestion: suggestion }) => hitOf(suggestion, url.href),
    ),
    facets: facetsIn(response['facets']),
    ...(typeof queryId === 'string' && { queryId }),
    ...(isObject(metadata) && { context: metadata }),
  }
}

function hitOf(suggestion: unknown, base: string): SiteHit[] {
  if (!isObject(suggestion)) return []
  const metadata = isObject(suggestion['metadata']) ? suggestion['metadata'] : {}
  const sections = textsIn(metadata['sections'])
  const recommended = textsIn(metadata['recommended_sections'])
  const links = linksIn(metadata['additional_urls'], base)
  return hitAt(suggestion['link'], base, {
    title: suggestion['title'],
    // An authored summary is more informative than the beginning of the page.
    excerpt: plainText(suggestion['summary']) || plainText(suggestion['suggestionBody']),
    ...(sections.length > 0 && { sections }),
    ...(recommended.length > 0 && { recommended }),
    ...(links.length > 0 && { links }),
  })
}

function linksIn(value: unknown, base: string): NonNullable<SiteHit['links']> {
  return objectsIn(value).flatMap((link) => {
    const url = webUrl(link['url'], base)
    const { section_title: section, section_anchor: fragment } = link
    const place = {
      ...(typeof section === 'string' && { section }),
      ...(typeof fragment === 'string' && { fragment }),
    }
    return url === undefined ? [] : [{ url, ...place }]
  })
}

function facetsIn(value: unknown): Record<string, string[]> {
  if (!isObject(value)) return {}
  const product = textsIn(value['aws-docs-search-product'])
  const guide = textsIn(value['aws-docs-search-guide'])
  return { ...(product.length > 0 && { product }), ...(guide.length > 0 && { guide }) }
}
