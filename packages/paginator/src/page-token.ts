import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Crockford's base 32 in lower case, without i, l, o and u. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const tagLength = 6
const sealLength = 32
const version = '1'

/** The position of a page. A token becomes invalid when the content changes. */
export interface PagePosition {
  /** Names the content: a URL, or a path and symbol. */
  resource: string
  /** Offset into the content. */
  start: number
  /** What the token is valid for: the whole content, or the part of it that must not change. */
  content: string
  /**
   * With a key, the tag is 20 bytes of HMAC-SHA256, so that callers cannot create tokens. For
   * servers with untrusted callers.
   */
  key?: Uint8Array
}

/** A valid position, or the reason why the token was rejected. */
export type PageTokenResult =
  /** `corrected`: one wrong character was corrected. */
  | { ok: true; start: number; corrected?: true }
  /** `malformed`: not a token; `valid` lists valid tokens, unless they are sealed with a key. */
  | { ok: false; reason: 'malformed'; valid?: string[] }
  /**
   * A token of another content or resource; `first` is the token of the first page, unless sealed.
   */
  | { ok: false; reason: 'content_changed'; first?: string }

/** What a page token must fit: its resource, its content and its key. */
export interface DecodeOptions extends Omit<PagePosition, 'start' | 'content'> {
  /** As it was encoded; a function, if it depends on the start, such as the text before it. */
  content: string | ((start: number) => string)
  /** Returns the starts of the pages; called only if the token is invalid. */
  starts?: () => readonly number[]
}

const maxShown = 10

/**
 * Create a page token `<start>.<tag>`, about 6 tokens of a model. The tag is 30 bits of SHA-256
 * over resource, start and content: it does not authenticate the caller, it detects stale and
 * mistyped tokens.
 */
export function encodePageToken({ resource, start, content, key }: PagePosition): string {
  return `${start}.${tagOf(start, digestOf(resource, content), key)}`
}

/**
 * Decode the start of a page token. Tolerates quotes, blanks, upper case and the letters missing in
 * base 32 (o for 0, i and l for 1); with `starts`, also one character dropped, doubled, swapped or
 * replaced, if only one page can be meant.
 */
export function decodePageToken(
  token: string,
  { resource, content, key, starts }: DecodeOptions,
): PageTokenResult {
  const text = plainToken(token)
  const contentAt = typeof content === 'function' ? content : () => content
  const tokenAt = (start: number) =>
    encodePageToken({ resource, start, content: contentAt(start), ...(key && { key }) })
  const match = tokenPattern.exec(text)
  const start = Number(match?.[1])
  if (match && tokenAt(start) === `${start}.${match[2]}`) return { ok: true, start }
  const positions = starts?.() ?? []
  const meant = positions.filter((at) => isOneSlipAway(text, tokenAt(at)))
  if (meant.length === 1) return { ok: true, start: meant[0] as number, corrected: true }
  // Sealed tokens are never disclosed to callers without a valid token.
  if (key) return { ok: false, reason: match ? 'content_changed' : 'malformed' }
  return match
    ? { ok: false, reason: 'content_changed', first: tokenAt(0) }
    : { ok: false, reason: 'malformed', valid: positions.slice(0, maxShown).map(tokenAt) }
}

const tokenPattern = /^(\d{1,15})\.([0-9a-z]{6}|[0-9a-z]{32})$/

/** Removes the characters that models and people put around a token. */
function plainToken(token: string): string {
  return token
    .slice(0, 128)
    .replace(/^[\s"'`«“[(]+|[\s"'`»”\])!,;]+$|\.+$/g, '')
    .toLowerCase()
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
}

/** One page needs several tokens of its content, which may be long: it is not kept for more. */
let last: { content: string; digest: string } | undefined

function digestOf(resource: string, content: string): string {
  if (last?.content !== content) {
    last = { content, digest: bytesToHex(sha256Of(content).subarray(0, 16)) }
    queueMicrotask(() => {
      last = undefined
    })
  }
  return `${resource}\0${last.digest}`
}

/** Node's own takes a tenth of the time; browsers have none that returns at once. */
const node = globalThis.process?.getBuiltinModule?.('node:crypto')
const sha256Of = (text: string): Uint8Array =>
  node ? node.createHash('sha256').update(text).digest() : sha256(utf8ToBytes(text))

function tagOf(start: number, digest: string, key: Uint8Array | undefined): string {
  const message = utf8ToBytes([version, String(start), digest].join('\0'))
  return key
    ? base32(hmac(sha256, key, message).subarray(0, 20), sealLength)
    : base32(sha256(message), tagLength)
}

/** The first bits of some bytes, five per character. */
function base32(bytes: Uint8Array, length: number): string {
  let text = ''
  let bits = 0
  let bitCount = 0
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    for (bitCount += 8; bitCount >= 5 && text.length < length; ) {
      bitCount -= 5
      text += alphabet[(bits >>> bitCount) & 31]
    }
    bits &= 2 ** bitCount - 1
  }
  return text
}

/** True if the texts differ by one character dropped, added or changed, or two swapped. */
function isOneSlipAway(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (a === b || long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at]
  return isSwapped && short.slice(at + 2) === long.slice(at + 2)
}
