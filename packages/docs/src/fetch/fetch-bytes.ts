import { type Dispatcher, fetch } from 'undici'
import { DocsError } from '../docs-error.ts'
import { quoteValue } from '../quote-value.ts'

export interface FetchLimits {
  /** For the whole exchange, redirects and body included. */
  timeoutMs: number
  /** Of the body after decompression. */
  maxBytes: number
  maxRedirects: number
}

export interface Fetched {
  /** After redirects. */
  url: string
  /** Without parameters, lower case; empty when the server names none. */
  type: string
  charset?: string
  bytes: Uint8Array
}

const accepted =
  'text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.9,application/xml;q=0.8,*/*;q=0.1'

/**
 * GET a URL, within bounds of time, size and redirects.
 *
 * @throws {DocsError} for every failure; nothing else.
 */
export async function fetchBytes(
  url: string,
  dispatcher: Dispatcher,
  limits: FetchLimits,
): Promise<Fetched> {
  const signal = AbortSignal.timeout(limits.timeoutMs)
  try {
    return await follow(url, dispatcher, limits, signal)
  } catch (error) {
    throw toDocsError(error, url, limits)
  }
}

async function follow(
  first: string,
  dispatcher: Dispatcher,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Fetched> {
  let url = first
  for (let hops = 0; hops <= limits.maxRedirects; hops++) {
    const response = await fetch(url, {
      dispatcher,
      signal,
      redirect: 'manual',
      headers: { accept: accepted, 'user-agent': 'pith-docs' },
    })
    const next = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && next !== null) {
      await response.body?.cancel()
      url = redirectTarget(next, url)
      continue
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw statusError(response.status, url)
    }
    const [type = '', ...parameters] = (response.headers.get('content-type') ?? '').split(';')
    const charset = parameters
      .map((part) => /^\s*charset="?([^"\s]+)/i.exec(part)?.[1])
      .find(Boolean)
    return {
      url,
      type: type.trim().toLowerCase(),
      ...(charset && { charset }),
      bytes: await readBody(response.body, url, limits.maxBytes),
    }
  }
  throw new DocsError(
    'unreachable',
    `${quoteValue(first)} redirects more than ${limits.maxRedirects} times.`,
    'Check the URL in a browser, or search for the page.',
  )
}

function redirectTarget(location: string, base: string): string {
  if (URL.canParse(location, base)) {
    const target = new URL(location, base)
    const isWeb = target.protocol === 'http:' || target.protocol === 'https:'
    if (isWeb && target.username === '' && target.password === '') return target.href
  }
  throw new DocsError(
    'unreachable',
    `${quoteValue(base)} redirects to ${quoteValue(location.replace(/\/\/[^/@]*@/, '//…@'))}, which cannot be followed.`,
    'Check the URL, or search for the page.',
  )
}

/** Counted as it streams and after decompression, so that a small bomb does not get big. */
async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  url: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > maxBytes) throw tooLarge(url, maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

export function tooLarge(location: string, maxBytes: number): DocsError {
  const limit = `${Math.round(maxBytes / 2 ** 20)} MB`
  return new DocsError(
    'too_large',
    `${quoteValue(location)} is larger than ${limit}, the limit for a page.`,
    'Read a smaller page: many sites split their one-page manual into chapters.',
  )
}

function statusError(status: number, url: string): DocsError {
  const missing = status === 404 || status === 410
  return new DocsError(
    missing ? 'not_found' : 'unreachable',
    `${quoteValue(url)} answered with status ${status}.`,
    missing
      ? 'Check the URL, or search for the page.'
      : status === 401 || status === 403
        ? 'The page needs a sign-in or refuses programs; read another page.'
        : 'Try again later, or read another page.',
  )
}

function toDocsError(error: unknown, url: string, limits: FetchLimits): DocsError {
  const known = causes(error).find((cause) => cause instanceof DocsError)
  if (known) return known as DocsError
  const codes = causes(error).flatMap(({ name, code }: NodeJS.ErrnoException) => [name, code])
  if (codes.some((code) => /timeout/i.test(String(code))))
    return new DocsError(
      'timeout',
      `${quoteValue(url)} did not answer within ${limits.timeoutMs / 1000} s.`,
      'Try again later, or read another page.',
      error,
    )
  const detail = causes(error).at(-1)?.message ?? String(error)
  return new DocsError(
    'unreachable',
    `${quoteValue(url)} could not be read: ${detail}.`,
    codes.includes('ENOTFOUND')
      ? 'No such host: check the spelling of the URL.'
      : 'Check the URL, or try again later.',
    error,
  )
}

function causes(error: unknown): Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < 8; next = next.cause)
    chain.push(next)
  return chain
}
