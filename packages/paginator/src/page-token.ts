import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** Crockford's base 32, in lower case: no i, l, o or u. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const tagLength = 6
const version = '1'

/** Where in what a page begins; the content is what makes a token go stale. */
export interface PagePosition {
  /** Names the content to the reader: a URL, a path and symbol. */
  resource: string
  /** Offset into the content. */
  start: number
  /** The content the page is cut from. */
  content: string
}

export type PageTokenResult =
  | { ok: true; start: number }
  /** `malformed`: not a token. `content_changed`: a token, but of another content or resource. */
  | { ok: false; reason: 'malformed' | 'content_changed' }

/**
 * A page token `<start>.<tag>`, about 6 tokens of a model. The tag is 30 bits of SHA-256 over
 * resource, start and content: it proves nothing about the bearer, it only catches stale and
 * mistyped tokens.
 */
export function encodePageToken({ resource, start, content }: PagePosition): string {
  return `${start}.${tagOf(resource, start, content)}`
}

/**
 * The start a token stands for. Forgives quotes, blanks, upper case and the letters that base 32
 * leaves out (o for 0, i and l for 1).
 */
export function decodePageToken(
  token: string,
  { resource, content }: Omit<PagePosition, 'start'>,
): PageTokenResult {
  const match = /^[\s"'`«“]*(\d{1,15})\.([0-9a-z]{6})[\s"'`»”.,]*$/i.exec(token.slice(0, 64))
  if (!match) return { ok: false, reason: 'malformed' }
  const start = Number(match[1])
  const tag = (match[2] as string).toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1')
  return tagOf(resource, start, content) === tag
    ? { ok: true, start }
    : { ok: false, reason: 'content_changed' }
}

function tagOf(resource: string, start: number, content: string): string {
  const fields = [version, resource, String(start), contentDigest(content)]
  const digest = sha256(utf8ToBytes(fields.join('\0')))
  const bits =
    ((digest[0] ?? 0) << 24) | ((digest[1] ?? 0) << 16) | ((digest[2] ?? 0) << 8) | (digest[3] ?? 0)
  let tag = ''
  for (let shift = 27; tag.length < tagLength; shift -= 5) tag += alphabet[(bits >>> shift) & 31]
  return tag
}

function contentDigest(content: string): string {
  return Array.from(sha256(utf8ToBytes(content)).subarray(0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
