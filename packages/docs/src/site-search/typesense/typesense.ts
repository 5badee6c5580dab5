import { DocsError } from '../../protocol/docs-error.ts'
import { docsearchHit } from '../port/docsearch-hit.ts'
import { extractConfig, nameBefore, valueNear, versionTags } from '../port/extract-config.ts'
import {
  hitsIn,
  isObject,
  listIn,
  objectsIn,
  requestJson,
  unexpected,
  valueAt,
} from '../port/response.ts'
import { defineSite, type SiteAdapter, type SiteAnswer, type SiteQuery } from '../port/site.ts'

const fields = [...Array(7).keys()].map((level) => `hierarchy.lvl${level}`)
const maxResults = 100

/** Typesense DocSearch, with the key that the page publishes for browsers. */
export const typesense: SiteAdapter = defineSite({
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
    const found = await extractConfig(front, /\/main\.[\w-]+\.js|typesense|docsearch/i, settingsIn)
    return found && { ...found, ...versionTags(front.html) }
  },
  open({ url, apiKey, collection, tags }, { client, source }) {
    const endpoint = `${url.replace(/\/+$/, '')}/multi_search`
    return {
      async search(query, question) {
        const narrowing = filterOf(question, tags)
        const isRequested = Object.keys(question.filters ?? {}).length > 0
        try {
          const found = await ask(query, question, narrowing)
          if (found.hits.length > 0 || narrowing === '' || isRequested) return found
        } catch (error) {
          // The service rejects filters on a field that the collection lacks.
          const isRefusal =
            error instanceof DocsError && error.code === 'unreachable' && !error.status
          if (!isRefusal || narrowing === '' || isRequested) throw error
          question.signal?.throwIfAborted()
        }
        const { language } = question
        return { ...(await ask(query, question, '')), ...(language && { isOtherLanguage: true }) }
      },
    }

    async function ask(
      query: string,
      { limit, signal }: SiteQuery,
      filter_by: string,
    ): Promise<SiteAnswer> {
      const search = {
        collection,
        q: query,
        query_by: [...fields, 'content'].join(','),
        include_fields: [...fields, 'content', 'url', 'type'].join(','),
        highlight_fields: 'content',
        highlight_affix_num_tokens: 15,
        group_by: 'url',
        group_limit: 1,
        per_page: Math.min(limit, maxResults),
        ...(filter_by !== '' && { filter_by }),
      }
      const headers = { 'x-typesense-api-key': apiKey }
      const response = await requestJson(client, endpoint, {
        body: { searches: [search] },
        headers,
        signal,
      })
      const [result] = listIn(response['results'], 'results', endpoint)
      // An error of a single search is part of a successful response.
      if (!result || result['error'] !== undefined)
        throw unexpected(endpoint, `reports ${JSON.stringify(result?.['error'] ?? 'no result')}`)
      const groups = Array.isArray(result['grouped_hits'])
        ? listIn(result['grouped_hits'], 'grouped_hits', endpoint).flatMap((group) =>
            listIn(group['hits'], 'hits', endpoint).slice(0, 1),
          )
        : listIn(result['hits'], 'hits', endpoint)
      const { found } = result
      return {
        hits: hitsIn(
          groups,
          'hits',
          groups.length,
          endpoint,
          ({ document, highlight, highlights }) =>
            isObject(document)
              ? docsearchHit(document, snippetOf(highlight, highlights), source)
              : [],
        ),
        ...(typeof found === 'number' && { total: found }),
      }
    }
  },
})

/** Older servers return a list. */
function snippetOf(highlight: unknown, highlights: unknown): unknown {
  const marked = objectsIn(highlights).find(({ field }) => field === 'content')
  return valueAt(highlight, 'content.snippet') ?? marked?.['snippet']
}

function filterOf({ language, filters = {} }: SiteQuery, tags: string): string {
  const values = (texts: readonly string[]) =>
    `[${texts.map((text) => `\`${text.replaceAll('`', '')}\``).join(',')}]`
  const own = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  const selected = Object.entries(filters)
  return [
    ...(language === undefined ? [] : [`language:=${values([language])}`]),
    ...(own.length > 0 && selected.length === 0 ? [`docusaurus_tag:=${values(own)}`] : []),
    ...selected.map(([name, texts]) => `${name}:=${values(texts)}`),
  ].join(' && ')
}

/** At most this many matches are tried, because a hostile page could contain any number. */
const maxTries = 50
/** Characters around a match that contain the settings of the server. */
const reach = 1_500

function settingsIn(text: string) {
  const named = new RegExp(
    `${nameBefore('typesenseCollectionName')}[\\\\"'\`]{1,4}([^"'\`\\\\]{1,200})`,
    'g',
  )
  let tries = 0
  for (const { index, 1: collection = '' } of text.matchAll(named)) {
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
