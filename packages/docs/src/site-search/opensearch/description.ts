import { Parser } from 'htmlparser2'

/** A search URL of an OpenSearch description. */
export interface SearchTemplate {
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
export function templatesIn(xml: string): SearchTemplate[] {
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
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  if (/^\s*(?:closed|private)\s*$/i.test(right)) return []
  return found.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

/** The URL of a search; undefined if the template requires unknown parameters. */
export function fillTemplate(
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
