import { isAscii, isUtf8 } from 'node:buffer'
import { getEncoding } from 'encoding-sniffer'
import { attempt } from '#base/attempt'

/** A text, and the charset by which it was decoded; guessed if nothing declares it. */
export interface DecodedText {
  text: string
  charset: string
  isGuessed: boolean
}

/** @see `decodeText` */
export const decodeHtml = (bytes: Uint8Array, charset?: string): string =>
  decodeText(bytes, charset).text

/**
 * Decode bytes by the charset of the header, a byte order mark or the page's `<meta>`, or the usual
 * one of its host. Servers declare wrong ones: a charset by which more than one character in a
 * thousand is invalid is not that of the page, whatever declares it. Without any, bytes that are
 * not valid UTF-8 are decoded as windows-1252, as browsers do.
 */
export function decodeText(bytes: Uint8Array, charset?: string, usual?: string): DecodedText {
  const stated = declaredCharset(bytes, charset)
  // Every byte is valid by windows-1252, a default of servers; other text is hardly ever UTF-8.
  const isWeak = stated === undefined || new TextDecoder(stated).encoding === 'windows-1252'
  if (isWeak && isUtf8(bytes) && !isAscii(bytes))
    return decodeBy('utf-8', bytes, stated !== undefined) as Decoded
  let best: Decoded | undefined
  for (const { label, isGuessed } of candidates(bytes, stated, usual)) {
    const decoded = decodeBy(label, bytes, isGuessed)
    if (!decoded || (best && best.errors <= decoded.errors)) continue
    best = decoded
    if (best.errors * 1_000 <= best.text.length) break
  }
  const valid = best?.text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0
  if (best && best.errors <= valid) return best
  return decodeBy('windows-1252', bytes, true) as Decoded
}

type Decoded = DecodedText & { errors: number }

/** Charsets that a page may have, in the order of trust. */
function* candidates(bytes: Uint8Array, stated: string | undefined, usual: string | undefined) {
  if (stated) yield { label: stated, isGuessed: false }
  const inPage = declaredCharset(bytes, undefined) ?? lateCharset(bytes)
  if (inPage) yield { label: inPage, isGuessed: false }
  yield { label: 'utf-8', isGuessed: stated !== undefined || !isUtf8(bytes) }
  if (usual) yield { label: usual, isGuessed: true }
}

/** A text and its number of invalid characters; undefined for a charset that Node lacks. */
function decodeBy(charset: string, bytes: Uint8Array, isGuessed: boolean): Decoded | undefined {
  if (!isKnown(charset)) return undefined
  const decoder = new TextDecoder(charset)
  const decoded = decoder.decode(bytes)
  const text = decoder.encoding === 'windows-1252' ? decoded.replace(controls, signOf) : decoded
  const isValid = decoder.encoding === 'utf-8' && isUtf8(bytes)
  const errors = isValid ? 0 : (text.match(/\ufffd/g)?.length ?? 0)
  return { text, charset, isGuessed, errors }
}

/** Signs of windows-1252 from U+0080 on, which Node 20 decodes as control characters. */
const signs = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const controls = /[\x80-\x9f]/g
const signOf = (control: string): string => signs.charAt(control.charCodeAt(0) - 0x80)

/** The declaration of a page that stands after the first 1,024 bytes, where browsers look for it. */
function lateCharset(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, maxLate))
  return /<meta\s[^<>]{0,500}?charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(text)?.[1]?.toLowerCase()
}

/** In bytes. */
const maxLate = 2 ** 16

/**
 * The charset that the header, a byte order mark or the page declares. The sniffer returns its
 * default if it finds none, so it runs twice with different defaults.
 */
function declaredCharset(bytes: Uint8Array, charset: string | undefined): string | undefined {
  const header = isKnown(charset) ? { transportLayerEncodingLabel: charset } : {}
  const withUtf8Default = getEncoding(bytes, { defaultEncoding: 'utf-8', ...header })
  const withWindowsDefault = getEncoding(bytes, { defaultEncoding: 'windows-1252', ...header })
  return withUtf8Default === withWindowsDefault ? withUtf8Default.toLowerCase() : undefined
}

/** An unsupported charset counts as undeclared. */
const isKnown = (charset: string | undefined): charset is string =>
  attempt(() => charset !== undefined && new TextDecoder(charset).encoding !== '', false)
