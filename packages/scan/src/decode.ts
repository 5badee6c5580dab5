const maxCandidates = 8
const maxLength = 4_000

const base64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}/g
const hex = /(?<![\da-z])(?:(?:0x|\\x)?[\da-f]{2}[ ,:]?){12,}(?![\da-z])/gi
const numbers = /(?<!\d)(?:\d{2,3}[ ,;]{1,2}){11,}\d{2,3}(?!\d)/g
const bits = /(?<!\d)(?:[01]{8} ?){8,}(?!\d)/g
const escapes = /(?:(?:%[\da-f]{2}|\\u[\da-f]{4}|\\x[\da-f]{2})[\w ]{0,2}){6,}/gi
/** Frequent words with their letters turned around, or moved by 13. */
const backwards =
  /\b(?:eht|uoy|lla|ton|dna|resu|erongi|eroffeb|snoitcurtsni|suoiverp|llet|dnes|siht|loot|sloot|ot|od)\b/gi
const rotated =
  /\b(?:gur|lbh|nyy|abg|naq|hfre|vtaber|orsber|vafgehpgvbaf|cerivbhf|gryy|fraq|guvf|gbby|gbbyf|gb|qb)\b/gi

const fromCodes = (codes: readonly number[]): string =>
  String.fromCodePoint(...codes.filter((code) => code > 0 && code <= 0x10ffff))
const numbersIn = (text: string, digits: RegExp, radix: number): number[] =>
  (text.match(digits) ?? []).map((number) => Number.parseInt(number, radix))
const fromBytes = (bytes: readonly number[]): string => Buffer.from(bytes).toString('utf8')

const codings: readonly (readonly [string, RegExp, (text: string) => string])[] = [
  ['Base64', base64, (text) => Buffer.from(text, 'base64').toString('utf8')],
  [
    'hexadecimal numbers',
    hex,
    (text) => fromBytes(numbersIn(text.replace(/0x|\\x/gi, ''), /[\da-f]{2}/gi, 16)),
  ],
  ['numbers', numbers, (text) => fromCodes(numbersIn(text, /\d+/g, 10))],
  ['bits', bits, (text) => fromBytes(numbersIn(text, /[01]{8}/g, 2))],
  [
    'escapes',
    escapes,
    (text) =>
      fromBytes([
        ...Buffer.from(
          text.replace(/%([\da-f]{2})|\\u([\da-f]{4})|\\x([\da-f]{2})/gi, (_, uri, unit, byte) =>
            String.fromCharCode(Number.parseInt(uri ?? unit ?? byte, 16)),
          ),
          /\\u/.test(text) ? 'utf8' : 'latin1',
        ),
      ]),
  ],
]

/** A passage that says something to a reader who decodes it. */
export interface Decoded {
  coding: string
  text: string
}

/** What a text says in Base64, numbers or escapes, and prose in ROT13 or backwards: 8 passages of each. */
export function decodedIn(text: string, isProse: boolean): Decoded[] {
  const decoded: Decoded[] = []
  for (const [coding, pattern, decode] of codings) {
    let budget = maxCandidates
    for (const [passage] of text.matchAll(pattern)) {
      if (budget-- === 0) break
      const plainText = decode(passage.slice(0, maxLength))
      if (isSaying(plainText)) decoded.push({ coding, text: plainText })
    }
  }
  if (!isProse) return decoded
  if (hasWords(text, rotated))
    decoded.push({ coding: 'ROT13', text: text.replace(/[a-z]/gi, rotate) })
  if (hasWords(text, backwards))
    decoded.push({ coding: 'reverse order', text: [...text].reverse().join('') })
  return decoded
}

const hasWords = (text: string, words: RegExp): boolean =>
  new Set(text.match(words)?.map((word) => word.toLowerCase())).size >= 3

const rotate = (letter: string): string => {
  const code = letter.charCodeAt(0)
  return String.fromCharCode(code + ((code & 31) <= 13 ? 13 : -13))
}

/** Four words: an example is shorter. */
const isSaying = (text: string): boolean =>
  /(?:\p{L}[\p{L}\p{M}']*[\s,.:;!?-]+){3}\p{L}/u.test(text) &&
  (text.match(/[\p{L}\p{M}\p{N} .,;:!?'"/@_-]/gu)?.length ?? 0) >= text.length * 0.9
