import { latinOfLookalike } from './lookalikes.ts'

const digits = '0134567890@$!|€£'
const letters = 'oieasgtbgoasiiel'
const letterOfDigit = new Map([...digits].map((sign, at) => [sign, letters[at] ?? sign]))

const invisible =
  /\p{Cf}|\u034F|[\u115F\u1160\u3164]|[\u180B-\u180F\uFE00-\uFE0F]|\\u\{[\dA-F]+\}/gu
const escaped = /\\u\{[\dA-F]+\}/g
/** Most definitions are, and are folded in a third of the time. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/** Enclosed letters without a compatible form, by the first of their alphabet; and `(a)` as one sign. */
const enclosed = /[\u249C-\u24B5\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}\u{1F1E6}-\u{1F1FF}]/gu
const alphabets = [0x1f1e6, 0x1f170, 0x1f150, 0x249c]

const smallCapital =
  /[\u1D00-\u1D22\u0262\u026A\u0274\u0280\u028F\u0299\u029C\u029F\uA730\uA731\uA7AF]/u
const capital = (letters: string): string =>
  smallCapital.test(letters) ? latinOf(letters).toUpperCase() : letters

/** Compatible forms of characters replaced, such as full-width letters; letters keep their script. */
export function withoutInvisible(text: string): string {
  if (isAscii(text)) return text.includes('\\u{') ? text.replace(escaped, '') : text
  const visible = text.replace(invisible, '').replace(enclosed, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    return String.fromCharCode(0x61 + code - (alphabets.find((first) => code >= first) ?? code))
  })
  const compatible = visible.normalize('NFKC').replaceAll('’', "'")
  return smallCapital.test(compatible) ? compatible.replace(word, capital) : compatible
}

const entities: ReadonlyMap<string, string> = new Map(
  'amp& lt< gt> quot" apos\' shy zwnj zwj period. comma, colon: hyphen- dash- lowbar_ sol/ num# ast* excl! commat@ verbar| nbsp  ensp  emsp  thinsp  NewLine\n Tab\n'
    .split(/ (?=\w)/)
    .map((line) => [
      /^\w+/.exec(line.replace('_', '-'))?.[0] ?? '',
      line.replace(/^[a-zA-Z]+/, ''),
    ]),
)
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,7}));?/gi

/** Twice, because `&amp;#105;` is read, too. */
export function withoutEntities(text: string): string {
  let decoded = text
  for (let round = 0; round < 2 && decoded.includes('&'); round++)
    decoded = decoded.replace(entity, (match, decimal, hex, name) => {
      if (name !== undefined)
        return (
          entities.get(name) ??
          /^([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring)$/i.exec(name)?.[1] ??
          match
        )
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match
    })
  return decoded
}

/** Accents, marks around letters, and vowel signs of Arabic and Hebrew. */
const accents =
  /[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]|[\u0591-\u05C7]|\u0640|[\u064B-\u065F]/gu
const lookalike = /[^\0-\x7f]/gu
const word = /[^\0-/:-@[-`{-\xBF\u2000-\u206F\u3000-\u303F]+/gu
const latin = (sign: string): string =>
  latinOfLookalike.get(sign) ?? latinOfLookalike.get(sign.toLowerCase()) ?? sign
const latinOf = (text: string): string => text.replace(lookalike, latin)

const withoutAccents = (text: string): string =>
  text.normalize('NFKD').replace(accents, '').normalize('NFC')

/** Lower-case letters without accents; words that were written as one are apart. */
export function foldWords(text: string): string {
  if (isAscii(text)) return text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  const bare = withoutAccents(text).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return bare.replace(/[ıłđøħ]/g, latin).toLowerCase()
}

const lineBreak = /\r\n?|[\n\t\v\f\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/g
const spacedLetters = /(?<![\p{L}\d])[\p{L}\d]([ ._*/|~,-])[\p{L}\d](?:\1[\p{L}\d])*(?![\p{L}\d])/gu
const insideWord =
  /(?<=\p{L})(?:[-\u2010]\s{1,9}|[-\u2010*~`|\\/+\u00B7]{1,2}|__|<[^<>]{1,30}>)(?=\p{L})/gu
const withDigits = /(?<![a-z\d@$!|])[a-z]*[\d@$!|\u20AC\u00A3]+[a-z][a-z\d@$!|\u20AC\u00A3]*/g

/** Words that were hyphenated, or cut by marks and tags, are whole. */
export const withWholeWords = (text: string): string => text.replace(insideWord, '')

/**
 * What a text says to a reader: as it is, with whole words, and to one who sees through a disguise:
 * lookalikes are Latin letters, and words that were spaced out or written with digits are whole.
 */
export function formsOf(text: string): ReadonlySet<string> {
  const flat = text.replace(lineBreak, ' ')
  const joined = withWholeWords(flat)
  if (isAscii(text)) return new Set([foldWords(flat), undisguised(foldWords(joined))])
  const forms = [flat, joined].map((form) => foldWords(form.replace(word, mixed)))
  return new Set([...forms, undisguised(foldWords(latinOf(withoutAccents(joined))))])
}

const undisguised = (text: string): string =>
  text
    .replace(spacedLetters, (letters) => letters.replace(/[^\p{L}\d]/gu, ''))
    .replace(withDigits, (letters, at: number) =>
      letters.includes('@') &&
      isAddress.test(text.slice(at + letters.length, at + letters.length + 2))
        ? letters
        : letters.replace(/[^a-z]/g, (sign) => letterOfDigit.get(sign) ?? sign),
    )
const isAddress = /^\.[a-z]/

/** A word with Latin letters and others is a Latin one. */
const mixed = (letters: string): string =>
  /[a-z]/i.test(letters) && /[^\0-\u024F]/.test(letters)
    ? latinOf(withoutAccents(letters))
    : letters
