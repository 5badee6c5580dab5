import { Parser } from 'htmlparser2'
import { attempt } from '#base/attempt'
import { decodeHtml } from '#fetch/decode-html'
import type { HttpClient, RequestOptions } from '#fetch/http-client'
import { DocsError, quoteValue } from '#formats/docs-error'
import type { SiteHit } from './site.ts'

export type Json = Record<string, unknown>

/** In bytes, of a response to a search. */
const maxBytes = 8 * 2 ** 20

interface JsonOptions extends Pick<RequestOptions, 'headers' | 'signal'> {
  /** Sent as JSON in a POST request. */
  body?: object
}

/**
 * Request a JSON object; a list becomes `{ results }`.
 *
 * @throws {DocsError} `unreachable` also for anything else.
 */
export async function requestJson(
  client: HttpClient,
  address: URL | string,
  { body, ...options }: JsonOptions,
): Promise<Json> {
  const { url, bytes, charset } = await client.request(String(address), {
    accept: 'application/json',
    maxBytes,
    body: body && JSON.stringify(body),
    ...options,
  })
  let value: unknown
  try {
    value = JSON.parse(decodeHtml(bytes, charset ?? 'utf-8'))
  } catch (cause) {
    throw unexpected(url, 'is not valid JSON', cause)
  }
  if (isObject(value)) return value
  // Some services return the list without an object around it.
  if (Array.isArray(value)) return { results: value }
  throw unexpected(url, 'is not a JSON object')
}

/** @throws {DocsError} `unreachable` if a response lacks the list. */
export function listIn(value: unknown, name: string, url: string): Json[] {
  if (!Array.isArray(value)) throw unexpected(url, `has no list ${quoteValue(name)}`)
  const objects = value.filter(isObject)
  if (objects.length === 0 && value.length > 0)
    throw unexpected(url, `has ${name} of an unknown form`)
  return objects
}

/**
 * The hits of a list of results.
 *
 * @throws {DocsError} if the list is missing or no result can be read: that is not an empty answer.
 */
export function hitsIn(
  list: unknown,
  name: string,
  limit: number,
  url: string,
  hitOf: (result: Json) => SiteHit[],
): SiteHit[] {
  const results = listIn(list, name, url)
  const hits = results.slice(0, limit).flatMap(hitOf)
  if (hits.length === 0 && results.length > 0) throw unexpected(url, 'has no page URLs')
  return hits
}

/** A hit in the words of a service, in a list that is empty without the URL of a page. */
export function hitAt(
  address: unknown,
  base: string,
  { title, ...fields }: Partial<Omit<SiteHit, 'title'>> & { title: unknown; excerpt: string },
): SiteHit[] {
  const url = webUrl(address, base)
  return url === undefined ? [] : [{ url, title: plainText(title, 300), path: [], ...fields }]
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectsIn = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The member at a path such as `metadata.total.value`; undefined if it is missing. */
export const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce(
      (part, name) => (isObject(part) || Array.isArray(part) ? (part as Json)[name] : undefined),
      value,
    )

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((text): text is string => typeof text === 'string' && text !== '')
    : []

export function unexpected(url: string, what: string, cause?: unknown): DocsError {
  return new DocsError(
    'unreachable',
    `The response of ${quoteValue(url.split('?')[0] ?? url)} ${what}. The interface may have changed.`,
    'Try again later, or read pages by their URL.',
    { cause },
  )
}

/** An absolute http or https URL of a response; undefined for anything else. */
export function webUrl(value: unknown, base: string): string | undefined {
  if (typeof value !== 'string' || value === '' || !URL.canParse(value, base)) return undefined
  const { href, protocol } = new URL(value, base)
  return /^https?:$/.test(protocol) && href.length <= maxUrlLength ? href : undefined
}

const maxUrlLength = 2_000

/** A URL with the fragment that a service names; without it, if the fragment is invalid. */
export function withFragment(url: string, id: unknown): string {
  if (typeof id !== 'string' || id === '') return url
  return attempt(() => `${url.split('#')[0]}#${encodeURI(id)}`, url)
}

const maxLength = 2_000

/** Plain text on one line, from a service's HTML with highlighted matches. */
export function plainText(value: unknown, limit: number = maxLength): string {
  if (typeof value !== 'string' || value === '') return ''
  const bounded = value.slice(0, limit * 8)
  const text = /[<&]/.test(bounded) ? withoutMarkup(bounded) : bounded
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, limit)
}

function withoutMarkup(html: string): string {
  let text = ''
  let hidden = 0
  const isHidden = (name: string) => name === 'script' || name === 'style'
  const parser = new Parser({
    onopentag(name) {
      if (isHidden(name)) hidden++
      // A block separates words; highlighting does not.
      if (/^(?:p|div|br|li|tr|td|h[1-6])$/.test(name)) text += ' '
    },
    onclosetag(name) {
      if (isHidden(name)) hidden--
    },
    ontext(part) {
      if (hidden === 0) text += part
    },
  })
  parser.end(html)
  return text
}
