import { docsearchHit } from '../port/docsearch-hit.ts'
import { extractConfig, nameBefore, valueNear, versionTags } from '../port/extract-config.ts'
import { hitsIn, requestJson, valueAt } from '../port/response.ts'
import { defineSite, type SiteAdapter, type SiteAnswer, type SiteQuery } from '../port/site.ts'

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
export const algolia: SiteAdapter = defineSite({
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
    const found = await extractConfig(front, scripts, credentialsIn)
    return found && { ...found, ...versionTags(front.html) }
  },
  open({ url, appId, apiKey, indexName, tags }, { client, source }) {
    const place = `/1/indexes/${encodeURIComponent(indexName)}/query`
    const endpoint = new URL(place, url.replace('{appId}', appId.toLowerCase())).href
    return {
      async search(query, question) {
        const filters = filtersOf(question, tags)
        const found = await ask(query, question, filters)
        // Filtering by an attribute that the index lacks matches nothing, without an error.
        const isNarrowed = Object.keys(question.filters ?? {}).length > 0
        if (found.hits.length > 0 || filters.length === 0 || isNarrowed) return found
        const { language } = question
        return { ...(await ask(query, question, [])), ...(language && { isOtherLanguage: true }) }
      },
    }

    async function ask(
      query: string,
      { limit, signal }: SiteQuery,
      facetFilters: readonly (string | string[])[],
    ): Promise<SiteAnswer> {
      const body = {
        query: query.slice(0, maxQueryLength),
        hitsPerPage: limit,
        attributesToRetrieve: ['hierarchy', 'content', 'url', 'type'],
        attributesToSnippet: ['content:35'],
        attributesToHighlight: [],
        snippetEllipsisText: '…',
        analytics: false,
        clickAnalytics: false,
        ...(facetFilters.length > 0 && { facetFilters }),
      }
      const headers = {
        'x-algolia-application-id': appId.toUpperCase(),
        'x-algolia-api-key': apiKey,
        // Some keys are restricted to requests from the pages of their site.
        referer: new URL('/', source).href,
      }
      const response = await requestJson(client, endpoint, { body, headers, signal })
      const { nbHits } = response
      return {
        hits: hitsIn(response['hits'], 'hits', limit, endpoint, (hit) =>
          docsearchHit(hit, valueAt(hit, '_snippetResult.content.value'), source),
        ),
        ...(typeof nbHits === 'number' && { total: nbHits }),
      }
    }
  },
})

/** An inner list matches any of its values. */
function filtersOf({ language, filters = {} }: SiteQuery, tags: string): (string | string[])[] {
  const selected = Object.entries(filters).map(([name, values]) =>
    values.map((value) => `${name}:${value}`),
  )
  const own = tags === '' ? [] : [tags.split(',').map((tag) => `docusaurus_tag:${tag.trim()}`)]
  const isTagged = Object.keys(filters).some((name) => name !== 'tags')
  return [
    ...(language === undefined ? [] : [`language:${language}`]),
    ...(isTagged ? [] : own),
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
  for (const found of text.matchAll(app)) {
    if (++tries > maxTries) break
    const { index, 1: appId = '' } = found
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
