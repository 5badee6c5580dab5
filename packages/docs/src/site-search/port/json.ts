import { DocsError } from '../../common/docs-error.ts'
import { quoteValue } from '../../common/quote-value.ts'
import { decodeHtml } from '../../fetch/decode-html.ts'
import type { HttpClient, HttpResponse } from '../../fetch/http-client.ts'
import type { SiteHit } from './site.ts'

export type Json = Record<string, unknown>

/** Of an answer to a search. */
const mostBytes = 8 * 2 ** 20

interface AskOptions {
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
}

/** The object that a service answers with. @throws {DocsError} */
export async function getJson(
  client: HttpClient,
  url: URL | string,
  options: AskOptions = {},
): Promise<Json> {
  const bounds = { accept: 'application/json', maxBytes: mostBytes, ...options }
  return readJson(await client.get(String(url), bounds))
}

/** The object that a service answers a question with that is sent as JSON. @throws {DocsError} */
export async function postJson(
  client: HttpClient,
  url: URL | string,
  question: unknown,
  options: AskOptions = {},
): Promise<Json> {
  const bounds = { accept: 'application/json', maxBytes: mostBytes, ...options }
  const body = { type: 'application/json', text: JSON.stringify(question) }
  return readJson(await client.post(String(url), body, bounds))
}

/** @throws {DocsError} `unreachable` for anything but an object, or a list, which becomes its `results`. */
function readJson({ url, bytes, charset }: HttpResponse): Json {
  let value: unknown
  try {
    value = JSON.parse(decodeHtml(bytes, charset ?? 'utf-8'))
  } catch (cause) {
    throw unexpected(url, 'is no JSON', cause)
  }
  if (isObject(value)) return value
  // A list where others have an object around it.
  if (Array.isArray(value)) return { results: value }
  throw unexpected(url, 'is no JSON object')
}

/** @throws {DocsError} `unreachable` if an answer does not have the list it should have. */
export function listIn(value: unknown, name: string, url: string): Json[] {
  if (!Array.isArray(value)) throw unexpected(url, `has no list ${quoteValue(name)}`)
  const objects = value.filter(isObject)
  if (objects.length === 0 && value.length > 0)
    throw unexpected(url, `has no ${name} that are known`)
  return objects
}

/** The hits that the results of a search are; an answer of which none can be read is no empty one. */
export function hitsIn(
  results: readonly Json[],
  limit: number,
  url: string,
  hitOf: (result: Json) => SiteHit[],
): SiteHit[] {
  const hits = results.slice(0, limit).flatMap(hitOf)
  if (hits.length === 0 && results.length > 0) throw unexpected(url, 'has no addresses of pages')
  return hits
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((text): text is string => typeof text === 'string' && text !== '')
    : []

export function unexpected(url: string, what: string, cause?: unknown): DocsError {
  return new DocsError(
    'unreachable',
    `The answer of ${quoteValue(url.split('?')[0] ?? url)} ${what}: the interface may have changed.`,
    'Try again later, or read the pages themselves.',
    cause,
  )
}

/** An address that a service gives, absolute and of the web; undefined for anything else. */
export function webUrl(value: unknown, base: string): string | undefined {
  if (typeof value !== 'string' || value === '' || !URL.canParse(value, base)) return undefined
  const { href, protocol } = new URL(value, base)
  return /^https?:$/.test(protocol) && href.length <= longestUrl ? href : undefined
}

const longestUrl = 2_000

/** An address with a fragment that a service names; without it, if it cannot be one. */
export function withFragment(url: string, id: unknown): string {
  if (typeof id !== 'string' || id === '') return url
  try {
    return `${url.split('#')[0]}#${encodeURI(id)}`
  } catch {
    return url
  }
}
