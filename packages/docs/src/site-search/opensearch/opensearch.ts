import { termsOf } from '@pith-mcp/scorer'
import { Parser } from 'htmlparser2'
import { decodeHtml } from '../../fetch/decode-html.ts'
import { unexpected, webUrl } from '../port/json.ts'
import { plainText } from '../port/plain-text.ts'
import { defineSite, type Front, type SiteAdapter, type SiteAnswer } from '../port/site.ts'
import { feedResults, pageResults, suggestedResults } from './results.ts'

/** Any site with an OpenSearch description. */
export const opensearch: SiteAdapter = defineSite({
  name: 'opensearch',
  title: 'OpenSearch',
  defaults: {
    template: '',
    /** `feed`, `suggestions` or `page`. */
    kind: 'feed',
    indexOffset: '1',
    pageOffset: '1',
  },
  async recognise(front) {
    const place = descriptionOf(front)
    const xml = place === undefined ? undefined : await front.read(place)
    if (place === undefined || xml === undefined) return undefined
    for (const one of templatesIn(xml).slice(0, maxTried)) {
      const template = onHost(one.template, place, front.url)
      if (template === undefined) continue
      const found = { ...one, template }
      if (fillTemplate(found, 'a', { limit: 1 }) === undefined) continue
      if (one.kind === 'feed' || (await hasResults(found, front))) return found
    }
    return undefined
  },
  open({ template, kind, indexOffset, pageOffset }, { client }) {
    return {
      async search(query, { limit, language, signal }): Promise<SiteAnswer> {
        const url = fillTemplate({ template, indexOffset, pageOffset }, query, { limit, language })
        const options = { accept: '*/*', signal }
        const { bytes, charset, url: found } = await client.request(url ?? template, options)
        const answer = read(kind, decodeHtml(bytes, charset), found, query)
        // Suggestions match the start of titles only, so an empty list does not mean that no page
        // matches.
        if (kind === 'suggestions' && answer.hits.length === 0)
          throw unexpected(found, 'has no suggestions')
        return { ...answer, hits: answer.hits.slice(0, limit) }
      },
    }
  },
})

function read(kind: string, text: string, url: string, query: string): SiteAnswer {
  if (kind === 'feed') return feedResults(text, url)
  return kind === 'suggestions' ? suggestedResults(text, url) : pageResults(text, url, query)
}

const maxTried = 4

/** Many result pages need JavaScript, and many suggestions have no URLs; test before use. */
async function hasResults(found: SearchTemplate, front: Front): Promise<boolean> {
  const title = plainText(/<title[^<>]{0,200}>([^<]{1,500})/i.exec(front.html)?.[1])
  const [word] = termsOf(title).toSorted((a, b) => b.length - a.length)
  const url = word === undefined ? undefined : fillTemplate(found, word, { limit: 5 })
  const text = url === undefined ? undefined : await front.read(url)
  if (word === undefined || url === undefined || text === undefined) return false
  try {
    return read(found.kind, text, url, word).hits.length > 0
  } catch {
    return false
  }
}

function descriptionOf({ html, url }: Front): string | undefined {
  const links = html.matchAll(/<link\b[^<>]{0,1000}>/gi)
  for (const [link] of links) {
    if (!/application\/opensearchdescription\+xml/i.test(link)) continue
    return webUrl(/\bhref=["']?([^"'\s>]{1,500})/i.exec(link)?.[1]?.replaceAll('&amp;', '&'), url)
  }
  return undefined
}

/**
 * An absolute template on the same host. Templates of other hosts are ignored, so that queries are
 * not sent there.
 */
function onHost(template: string, base: string, front: string): string | undefined {
  // Braces are removed to parse the template as a URL.
  if (/^(?:https?:)?\/\/[^/]*\{/i.test(template)) return undefined
  const plain = template.replace(/[{}]/g, '')
  if (webUrl(plain, base) === undefined || new URL(plain, base).host !== new URL(front).host)
    return undefined
  if (/^https?:/i.test(template)) return template
  const { origin } = new URL(base)
  return template.startsWith('/') ? origin + template : `${new URL('.', base).href}${template}`
}

/** A search URL of an OpenSearch description. */
interface SearchTemplate {
  /** A URL with `{searchTerms}` and other parameters in braces. */
  template: string
  kind: 'feed' | 'suggestions' | 'page'
  /** Numbers of the first result and the first page. */
  indexOffset: string
  pageOffset: string
}

const kinds: Readonly<Record<string, SearchTemplate['kind']>> = {
  'application/atom+xml': 'feed',
  'application/rss+xml': 'feed',
  'application/x-suggestions+json': 'suggestions',
  'text/html': 'page',
}
const order = ['feed', 'suggestions', 'page']

/**
 * The search URLs of a description, best first; empty if the site forbids searching by programs.
 */
function templatesIn(xml: string): SearchTemplate[] {
  const found: SearchTemplate[] = []
  let right = ''
  let open = ''
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        open = name
        if (name !== 'Url' && name !== 'os:Url') return
        const { type = '', template = '', rel = 'results', method = 'get' } = attributes
        const kind = kinds[type.toLowerCase().split(';')[0]?.trim() ?? '']
        const isSearch = rel
          .split(/\s+/)
          .every((word) => word === 'results' || word === 'suggestions')
        if (!kind || !isSearch || method.toLowerCase() !== 'get') return
        if (!template.includes('{searchTerms}') || found.length >= 20) return
        const { indexOffset = '1', pageOffset = '1' } = attributes
        found.push({ template, kind, indexOffset, pageOffset })
      },
      ontext(text) {
        if (open === 'SyndicationRight' && right.length < 20) right += text
      },
      onclosetag() {
        open = ''
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  if (/^\s*(?:closed|private)\s*$/i.test(right)) return []
  return found.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

/** The URL of a search; undefined if the template requires unknown parameters. */
function fillTemplate(
  { template, indexOffset, pageOffset }: Omit<SearchTemplate, 'kind'>,
  query: string,
  { limit, language = '*' }: { limit: number; language?: string | undefined },
): string | undefined {
  const values: Readonly<Record<string, string>> = {
    searchTerms: query,
    count: String(limit),
    startIndex: indexOffset,
    startPage: pageOffset,
    language,
    inputEncoding: 'UTF-8',
    outputEncoding: 'UTF-8',
  }
  let isKnown = true
  const filled = template.replace(
    /\{([\w:]{1,60})(\??)\}/g,
    (_, name: string, optional: string) => {
      const value = values[name]
      if (value === undefined && optional === '') isKnown = false
      return encodeURIComponent(value ?? '')
    },
  )
  return isKnown ? filled : undefined
}
