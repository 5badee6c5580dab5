import { Parser } from 'htmlparser2'
import { DocsError, quoteValue } from '#formats/docs-error'
import { decodeHtml } from './decode-html.ts'
import type { HttpClient, HttpResponse, RequestOptions } from './http-client.ts'

const maxForwards = 5

/**
 * GET a page, also through pages that only forward to another. Their targets pass the checks of a
 * redirect.
 *
 * @throws {DocsError} `unreachable` for pages that forward in a circle, and all errors of requests.
 */
export async function requestPage(
  client: Pick<HttpClient, 'request'>,
  url: string,
  options: RequestOptions = {},
): Promise<HttpResponse> {
  const passed = new Set([url])
  for (let target = url; ; passed.add(target)) {
    const response = await client.request(target, options)
    const next = forwardOf(response)
    if (next === undefined) return response
    if (passed.has(next) || passed.size > maxForwards)
      throw new DocsError(
        'unreachable',
        `${quoteValue(url)} forwards in a circle, or more than ${maxForwards} times: ${quoteValue(next)}.`,
        'Check the URL in a browser, or search for the page.',
      )
    target = next
  }
}

/** Above this many characters of text, a page is more than a notice of where it has moved. */
const maxText = 300
/** Seconds; a longer delay is for readers of the page. */
const maxDelay = 10
/** Bytes of a page that only forwards. */
const maxBytes = 2 ** 16

const refresh = /^(\d{1,6})?(?:\.\d*)?[;,\s]+(?:url\s*=)?\s*["']?([^"']+)/i
/** A statement that opens another page; what stands before it must not be a condition. */
const assignment =
  /\blocation\s*(?:\.\s*(?:href|replace|assign)\s*)?(?:=|\()\s*(["'])([^"'\\\s]{1,2000})\1/
const condition = /\b(?:if|else|function|catch|case|while|set\w+)\b|=>|[?|&]|\bon\w+\s*=/

/** Where a page forwards to; undefined for a page that does not, or that has a text of its own. */
function forwardOf({ url, bytes, charset, headers }: HttpResponse): string | undefined {
  const { refresh: header } = headers
  if (bytes.length > maxBytes) return undefined
  const html = decodeHtml(bytes, charset)
  if (header === undefined && !/\brefresh\b|\blocation\b/i.test(html)) return undefined
  const { refreshes, canonical, base, scripts, textLength } = readHead(html, header)
  const isShort = textLength <= maxText
  const address = (href: string | undefined) => href && webAddress(href, base, url)
  for (const content of refreshes) {
    const [, delay = '0', href] = refresh.exec(content.trim().slice(0, 2_500)) ?? []
    const target = address(href)
    const isMeant = isShort && Number(delay) <= maxDelay
    if (target && (isMeant || target === address(canonical))) return target
  }
  const match = isShort ? assignment.exec(scripts) : null
  if (!match || condition.test(scripts.slice(0, match.index))) return undefined
  return address(match[2]) || undefined
}

function readHead(html: string, header: string | undefined) {
  const head = { canonical: '', base: '', scripts: '', textLength: 0 }
  const refreshes = header === undefined ? [] : [header]
  let hidden = ''
  const parser = new Parser({
    onopentag(name, { content = '', href = '', rel = '', ...attributes }) {
      if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh')
        refreshes.push(content)
      if (name === 'link' && /\bcanonical\b/i.test(rel)) head.canonical ||= href
      if (name === 'base') head.base ||= href
      if (/^(?:script|style|template|title)$/.test(name)) hidden = name
    },
    ontext(text) {
      if (hidden === 'script') head.scripts += text
      else if (hidden === '') head.textLength += text.trim().length
    },
    onclosetag(name) {
      if (name === hidden) hidden = ''
    },
  })
  parser.end(html)
  return { ...head, refreshes }
}

/** A URL of the web without credentials that is not the page itself. */
function webAddress(href: string, base: string, page: string): string | undefined {
  const from = URL.canParse(base, page) ? new URL(base, page).href : page
  if (!URL.canParse(href.trim(), from)) return undefined
  const target = new URL(href.trim(), from)
  target.hash = ''
  const isWeb = target.protocol === 'http:' || target.protocol === 'https:'
  const isPlain = target.username === '' && target.password === ''
  return isWeb && isPlain && target.href !== page.replace(/#.*$/s, '') ? target.href : undefined
}
