import { DocsError } from '../docs-error.ts'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpResponse } from '../fetch/http-client.ts'
import { quoteValue } from '../quote-value.ts'

export type Json = Record<string, unknown>

/** Of an answer to a search. */
export const mostJson = 8 * 2 ** 20

/** The object that a service answered with. @throws {DocsError} `unreachable` for anything else. */
export function readJson({ url, bytes, charset }: HttpResponse): Json {
  try {
    const value: unknown = JSON.parse(decodeHtml(bytes, charset ?? 'utf-8'))
    if (isObject(value)) return value
  } catch (cause) {
    throw unexpected(url, 'is no JSON', cause)
  }
  throw unexpected(url, 'is no JSON object')
}

/** @throws {DocsError} `unreachable` if an answer does not have the list it should have. */
export function listIn(value: unknown, name: string, url: string): Json[] {
  if (!Array.isArray(value)) throw unexpected(url, `has no list ${quoteValue(name)}`)
  return value.filter(isObject)
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
  return /^https?:$/.test(protocol) ? href : undefined
}
