import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** Crockford's base 32, in lower case: no i, l, o or u. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const tagLength = 6
const sealLength = 32
const version = '1'

/** Where in what a page begins; the content is what makes a token go stale. */
export interface PagePosition {
  /** Names the content to the reader: a URL, a path and symbol. */
  resource: string
  /** Offset into the content. */
  start: number
  /** The content the page is cut from. */
  content: string
  /**
   * With a key, the tag is 20 bytes of HMAC-SHA256: a caller cannot make a token. For servers that
   * strangers call.
   */
  key?: Uint8Array
}

export type PageTokenResult =
  /** `corrected`: a slip of one character was mended. */
  | { ok: true; start: number; corrected?: true }
  /** `malformed`: not a token; `valid` are tokens that would be, unless they are sealed. */
  | { ok: false; reason: 'malformed'; valid?: string[] }
  /** A token, but of another content or resource; `first` begins at the first page, unless sealed. */
  | { ok: false; reason: 'content_changed'; first?: string }

export interface DecodeOptions extends Omit<PagePosition, 'start'> {
  /** Where the pages of this content begin; asked for only if the token is none of it. */
  starts?: () => readonly number[]
}

const mostShown = 10

/**
 * A page token `<start>.<tag>`, about 6 tokens of a model. The tag is 30 bits of SHA-256 over
 * resource, start and content: it proves nothing about the bearer, it only catches stale and
 * mistyped tokens.
 */
export function encodePageToken({ resource, start, content, key }: PagePosition): string {
  return `${start}.${tagOf(start, digestOf(resource, content), key)}`
}

/**
 * The start a token stands for. Forgives quotes, blanks, upper case and the letters that base 32
 * leaves out (o for 0, i and l for 1); with `starts`, one character dropped, doubled, swapped or
 * mistaken, if only one page can be meant.
 */
export function decodePageToken(
  token: string,
  { resource, content, key, starts }: DecodeOptions,
): PageTokenResult {
  const text = plainToken(token)
  const digest = digestOf(resource, content)
  const match = tokenPattern.exec(text)
  const start = Number(match?.[1])
  if (match && tagOf(start, digest, key) === match[2]) return { ok: true, start }
  const known = starts?.() ?? []
  const tokenAt = (at: number) => `${at}.${tagOf(at, digest, key)}`
  const meant = known.filter((at) => isOneSlipAway(text, tokenAt(at)))
  if (meant.length === 1) return { ok: true, start: meant[0] as number, corrected: true }
  // Whoever has no token of this text is not handed one that is sealed.
  if (key) return { ok: false, reason: match ? 'content_changed' : 'malformed' }
  return match
    ? { ok: false, reason: 'content_changed', first: tokenAt(0) }
    : { ok: false, reason: 'malformed', valid: known.slice(0, mostShown).map(tokenAt) }
}

const tokenPattern = /^(\d{1,15})\.([0-9a-z]{6}|[0-9a-z]{32})$/

/** Without what models and people put around it. */
function plainToken(token: string): string {
  return token
    .slice(0, 128)
    .replace(/^[\s"'`«“[(]+|[\s"'`»”\])!,;]+$|\.+$/g, '')
    .toLowerCase()
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
}

/** A token with its resource in one string, `resource@start.tag`. */
export function encodePageReference(position: PagePosition): string {
  return `${position.resource}@${encodePageToken(position)}`
}

/** The two parts of `resource@start.tag`; undefined if there is no `@` in it. */
export function splitPageReference(
  reference: string,
): { resource: string; token: string } | undefined {
  const at = reference.lastIndexOf('@')
  return at > 0 ? { resource: reference.slice(0, at), token: reference.slice(at + 1) } : undefined
}

function digestOf(resource: string, content: string): string {
  const own = sha256(utf8ToBytes(content)).subarray(0, 16)
  return `${resource}\0${Array.from(own, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function tagOf(start: number, digest: string, key: Uint8Array | undefined): string {
  const message = utf8ToBytes([version, String(start), digest].join('\0'))
  return key
    ? base32(hmac(sha256, key, message).subarray(0, 20), sealLength)
    : base32(sha256(message), tagLength)
}

/** The first bits of some bytes, five a character. */
function base32(bytes: Uint8Array, length: number): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    for (held += 8; held >= 5 && text.length < length; ) {
      held -= 5
      text += alphabet[(bits >>> held) & 31]
    }
    bits &= 2 ** held - 1
  }
  return text
}

/** True if one text becomes the other by one character dropped, added or changed, or two swapped. */
function isOneSlipAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (one === other || long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at]
  return isSwapped && short.slice(at + 2) === long.slice(at + 2)
}
