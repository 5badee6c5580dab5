import { docsearchHit } from './port/docsearch-hit.ts'
import { extractConfig, nameBefore, valueNear, versionTags } from './port/extract-config.ts'
import { jsonSite } from './port/json-site.ts'
import { isObject, listIn, objectsIn, unexpected, valueAt } from './port/response.ts'
import type { SiteAdapter, SiteQuery } from './port/site.ts'

/** In characters; Algolia rejects longer queries. */
const maxQueryLength = 500
const signs =
  /\.algolia(?:net|search)?\.|DocSearch-|docsearch[_(]|algoliasearch|__VP_SITE_DATA__|chunks\/metadata\.|sl-doc-search|algolia-api-key|data-ap[pi]-id/i
/**
 * Scripts of Docusaurus, VitePress, Sphinx, Starlight and Antora that contain the settings if the
 * page does not.
 */
const scripts = /\/main\.[\w-]+\.js|chunks\/metadata\.|docsearch|search-/i

/** Algolia DocSearch, with the key that the page publishes for browsers. */
export const algolia: SiteAdapter = jsonSite({
  name: 'algolia',
  title: 'Algolia DocSearch',
  defaults: {
    url: 'https://{appId}-dsn.algolia.net',
    appId: '',
    /** A search-only key. */
    apiKey: '',
    indexName: '',
    /** Tags of the pages of one version, separated by commas. */
    tags: '',
  },
  filters: ['version', 'tags', 'docusaurus_tag'],
  async recognise(front) {
    if (!signs.test(front.html)) return undefined
    const config = await extractConfig(front, scripts, credentialsIn)
    return config && { ...config, ...versionTags(front.html) }
  },
  request(query, question, { options: { url, appId, apiKey, indexName, tags }, source }) {
    const facetFilters = filtersOf(question, tags)
    const place = `/1/indexes/${encodeURIComponent(indexName)}/query`
    return {
      url: new URL(place, url.replace('{appId}', appId.toLowerCase())).href,
      body: {
        query: query.slice(0, maxQueryLength),
        hitsPerPage: question.limit,
        attributesToRetrieve: ['hierarchy', 'content', 'url', 'type'],
        attributesToSnippet: ['content:35'],
        attributesToHighlight: [],
        snippetEllipsisText: '…',
        analytics: false,
        clickAnalytics: false,
        ...(facetFilters.length > 0 && { facetFilters }),
      },
      headers: {
        'x-algolia-application-id': appId.toUpperCase(),
        'x-algolia-api-key': apiKey,
        // Some keys are restricted to requests from the pages of their site.
        referer: new URL('/', source).href,
      },
    }
  },
  isWidened: true,
  results: 'hits',
  total: 'nbHits',
  hit: (hit) => docsearchHit(hit, valueAt(hit, '_snippetResult.content.value')),
})

const tagsIn = (tags: string): string[] =>
  tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)

/** An inner list matches any of its values. */
function filtersOf({ language, filters = {} }: SiteQuery, tags: string): (string | string[])[] {
  const selected = Object.entries(filters).map(([name, values]) =>
    values.map((value) => `${name}:${value}`),
  )
  const tagFilter = tags === '' ? [] : [tagsIn(tags).map((tag) => `docusaurus_tag:${tag}`)]
  const isTagged = Object.keys(filters).some((name) => name !== 'tags')
  return [
    ...(language === undefined ? [] : [`language:${language}`]),
    ...(isTagged ? [] : tagFilter),
    ...selected,
  ]
}

/** At most this many matches are tried, because a hostile page could contain any number. */
const maxTries = 50

function credentialsIn(text: string) {
  const app = new RegExp(
    `${nameBefore('appId|app_id|applicationId|application_id|data-app-id|data-api-id')}[\\\\"'\`]{1,4}((?:beta|testing)?[A-Za-z0-9]{10})(?![\\w-])`,
    'g',
  )
  let tries = 0
  for (const match of text.matchAll(app)) {
    if (++tries > maxTries) break
    const { index, 1: appId = '' } = match
    const apiKey = valueNear(
      text,
      'apiKey|api_key|searchApiKey|data-api-key',
      '[\\w+/=-]{20,500}',
      index,
    )
    const indexName =
      valueNear(text, 'indexName|index_name|data-index-name', `[^"'\`\\\\]{1,200}`, index) ??
      firstIndexIn(text.slice(index, index + 1_500))
    if (apiKey !== undefined && indexName !== undefined) return { appId, apiKey, indexName }
  }
  return undefined
}

/** `indices: ['docs']`, `indices: [{ name: 'docs' }]`, as in newer pages. */
const firstIndexIn = (text: string): string | undefined =>
  /(?<![\w$-])indices[\\"'`]{0,4}\s{0,5}:\s{0,5}\[\s{0,9}(?:\{[^[\]]{0,300}?name[\\"'`]{0,4}\s{0,5}:\s{0,5})?[\\"'`]{1,4}([^"'`\\]{1,200})/.exec(
    text,
  )?.[1]

const fields = [...Array(7).keys()].map((level) => `hierarchy.lvl${level}`)

/** Typesense DocSearch, with the key that the page publishes for browsers. */
export const typesense: SiteAdapter = jsonSite({
  name: 'typesense',
  title: 'Typesense DocSearch',
  defaults: {
    /** URL of a node: `https://search.example.org:443`. */
    url: '',
    apiKey: '',
    collection: '',
    /** Tags of the pages of one version, separated by commas. */
    tags: '',
  },
  filters: ['version', 'docusaurus_tag'],
  async recognise(front) {
    if (!/typesense/i.test(front.html) && !/DocSearch-|__docusaurus/.test(front.html))
      return undefined
    const config = await extractConfig(front, /\/main\.[\w-]+\.js|typesense|docsearch/i, settingsIn)
    return config && { ...config, ...versionTags(front.html) }
  },
  request(query, question, { options: { url, apiKey, collection, tags } }) {
    const filter_by = filterOf(question, tags)
    const search = {
      collection,
      q: query,
      query_by: [...fields, 'content'].join(','),
      include_fields: [...fields, 'content', 'url', 'type'].join(','),
      highlight_fields: 'content',
      highlight_affix_num_tokens: 15,
      group_by: 'url',
      group_limit: 1,
      per_page: Math.min(question.limit, 100),
      ...(filter_by !== '' && { filter_by }),
    }
    return {
      url: `${url.replace(/\/+$/, '')}/multi_search`,
      body: { searches: [search] },
      headers: { 'x-typesense-api-key': apiKey },
    }
  },
  isWidened: true,
  results(response, url) {
    const [result] = listIn(response['results'], 'results', url)
    // An error of a single search is part of a successful response.
    if (!result || result['error'] !== undefined)
      throw unexpected(url, `reports ${JSON.stringify(result?.['error'] ?? 'no result')}`)
    if (!Array.isArray(result['grouped_hits'])) return listIn(result['hits'], 'hits', url)
    const groups = listIn(result['grouped_hits'], 'grouped_hits', url)
    return groups.flatMap((group) => listIn(group['hits'], 'hits', url).slice(0, 1))
  },
  total: 'results.0.found',
  hit: ({ document, highlight, highlights }) =>
    isObject(document) ? docsearchHit(document, snippetOf(highlight, highlights)) : undefined,
})

/** Older servers return a list. */
function snippetOf(highlight: unknown, highlights: unknown): unknown {
  const marked = objectsIn(highlights).find(({ field }) => field === 'content')
  return valueAt(highlight, 'content.snippet') ?? marked?.['snippet']
}

function filterOf({ language, filters = {} }: SiteQuery, tags: string): string {
  const values = (texts: readonly string[]) =>
    `[${texts.map((text) => `\`${text.replaceAll('`', '')}\``).join(',')}]`
  const tagList = tagsIn(tags)
  const selected = Object.entries(filters)
  return [
    ...(language === undefined ? [] : [`language:=${values([language])}`]),
    ...(tagList.length > 0 && selected.length === 0 ? [`docusaurus_tag:=${values(tagList)}`] : []),
    ...selected.map(([name, texts]) => `${name}:=${values(texts)}`),
  ].join(' && ')
}

/** Characters around a match that contain the settings of the server. */
const reach = 1_500

function settingsIn(text: string) {
  const collectionName = new RegExp(
    `${nameBefore('typesenseCollectionName')}[\\\\"'\`]{1,4}([^"'\`\\\\]{1,200})`,
    'g',
  )
  let tries = 0
  for (const { index, 1: collection = '' } of text.matchAll(collectionName)) {
    if (++tries > maxTries) break
    const around = text.slice(Math.max(0, index - reach), index + reach)
    const at = around.search(/typesenseServerConfig/)
    const server = around.slice(Math.max(0, at), at + reach)
    const apiKey = valueIn(server, 'apiKey', '[\\w+/=-]{8,500}')
    const url = nodeIn(server) ?? valueIn(server, 'url', 'https?:[^"\'`\\\\]{1,300}')
    if (at >= 0 && apiKey && url && URL.canParse(url)) return { collection, apiKey, url }
  }
  return undefined
}

const valueIn = (text: string, name: string, value: string): string | undefined =>
  valueNear(text, name, value, 0)

function nodeIn(server: string): string | undefined {
  const host = valueIn(server, 'host', '[\\w.:[\\]-]{1,250}')
  if (host === undefined) return undefined
  const protocol = valueIn(server, 'protocol', 'https?') ?? 'https'
  const port = new RegExp(`${nameBefore('port')}[\\\\"'\`]{0,4}(\\d{1,5})`).exec(server)?.[1]
  const path = valueIn(server, 'path', '/[\\w./-]{0,200}') ?? ''
  return `${protocol}://${host}${port === undefined ? '' : `:${port}`}${path}`
}
