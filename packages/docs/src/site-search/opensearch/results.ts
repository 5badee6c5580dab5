import { termsOf } from '@pith-mcp/scorer'
import { Parser } from 'htmlparser2'
import { hitAt, unexpected, webUrl } from '../port/json.ts'
import { plainText } from '../port/plain-text.ts'
import type { SiteAnswer, SiteHit } from '../port/site.ts'

const maxHits = 100

/** Results in RSS or Atom. */
export function feedResults(xml: string, url: string): SiteAnswer {
  const hits: SiteHit[] = []
  let total: number | undefined
  let isFeed = false
  let isWhole = false
  const isRoot = (name: string) => name === 'rss' || name === 'feed' || name === 'rdf:RDF'
  let item: Record<string, string> | undefined
  let field = ''
  const parser = new Parser(
    {
      onopentag(name, { href, rel = 'alternate' }) {
        if (isRoot(name)) isFeed = true
        if (name === 'item' || name === 'entry') item = {}
        if (item && name === 'link' && href !== undefined && rel === 'alternate')
          item['link'] = href
        field = name
      },
      ontext(text) {
        if (item && (item[field] ?? '').length < 20_000) item[field] = (item[field] ?? '') + text
        if (field === 'opensearch:totalResults' && /^\s*\d+\s*$/.test(text)) total = Number(text)
      },
      onclosetag(name, isImplied) {
        field = ''
        if (isRoot(name) && !isImplied) isWhole = true
        if (!item || (name !== 'item' && name !== 'entry')) return
        const { link, title, description, summary, content } = item
        const excerpt = plainText(description ?? summary ?? content)
        if (hits.length < maxHits) hits.push(...hitAt(link?.trim(), url, { title, excerpt }))
        item = undefined
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  if (!isFeed || !isWhole) throw unexpected(url, isFeed ? 'is a truncated feed' : 'is not a feed')
  return { hits, ...(total !== undefined && { total }) }
}

/** Titles that begin like the query, if the suggestions include URLs. */
export function suggestedResults(json: string, url: string): SiteAnswer {
  let response: unknown
  try {
    response = JSON.parse(json)
  } catch (cause) {
    throw unexpected(url, 'is not valid JSON', cause)
  }
  if (!Array.isArray(response) || !Array.isArray(response[1]))
    throw unexpected(url, 'has no suggestions')
  const [, titles, summaries, urls] = response as unknown[][]
  const hits = (titles ?? [])
    .slice(0, maxHits)
    .flatMap((title, at) => hitAt(urls?.[at], url, { title, excerpt: plainText(summaries?.[at]) }))
  return { hits }
}

/**
 * Links of a result page whose text contains a word of the query.
 *
 * @throws {DocsError} without such links, because scripts may render the results.
 */
export function pageResults(html: string, url: string, query: string): SiteAnswer {
  const queryTerms = new Set(termsOf(query))
  const host = new URL(url).host
  const hits = new Map<string, SiteHit>()
  let link: { url: string; text: string } | undefined
  let inMenu = 0
  const isMenu = (name: string) => /^(?:nav|header|footer|aside|script|style)$/.test(name)
  const parser = new Parser({
    onopentag(name, { href }) {
      if (isMenu(name)) inMenu++
      const target = name === 'a' && inMenu === 0 ? webUrl(href, url) : undefined
      if (target !== undefined) link = { url: target, text: '' }
    },
    ontext(text) {
      if (link && link.text.length < 1_000) link.text += text
    },
    onclosetag(name) {
      if (isMenu(name)) inMenu--
      if (name !== 'a' || !link) return
      const title = plainText(link.text, 300)
      const isAbout = termsOf(title).some((term) => queryTerms.has(term))
      const isPage = new URL(link.url).host === host && link.url.split('?')[0] !== url.split('?')[0]
      if (isAbout && isPage && hits.size < maxHits && !hits.has(link.url))
        hits.set(link.url, { url: link.url, title, path: [], excerpt: '' })
      link = undefined
    },
  })
  parser.end(html)
  if (hits.size === 0) throw unexpected(url, 'lists no pages with these words')
  return { hits: [...hits.values()] }
}
