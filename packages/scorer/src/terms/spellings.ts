import { stemOf } from './stem.ts'

/** Letters with marks that Unicode does not decompose, in lower case. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ŋ: 'n',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
const singleLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')
/** Marks that a word is also written without: accents, Hebrew points, Arabic vowels and the tatweel. */
const marks = /(?<!и)[\u0300-\u036f]|[\u0591-\u05c7\u0640\u064b-\u0655\u0670]/g
/** With `و`, `ب`, `ك` or `ف` before it; `ل` swallows its first letter. */
const arabicArticle = /^(?:[وف]?[بك]?ال|[وف]?لل)(?=\p{sc=Arabic}{3})/u

const isPlain = /^[\0-\x7f]*$/

/**
 * The term by which a term with marks or an Arabic article is also found: `resum` for `résumé`.
 * Undefined without marks or article.
 */
export function foldedOf(term: string): string | undefined {
  if (isPlain.test(term)) return undefined
  const folded = term
    .replace(singleLetters, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFKD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(arabicArticle, '')
  return folded === term || folded.length < 2 ? undefined : stemOf(folded)
}

/** Separators of the parts of a name; a name is also found without them and with others. */
export const separators: RegExp = /[_.:\-/]+/g

const version = /^v?(\d+(?:\.\d+)+)/i
/** Of a longer number only these beginnings are terms. */
const maxNumbers = 6

/**
 * The version or other dotted number at the start of a word, and its beginnings: `2.10.1`, `2.10`,
 * `2`. Its length in the word; 0 for other words.
 */
export function versionIn(word: string): { terms: string[]; length: number } {
  const [match = '', digits = ''] = version.exec(word) ?? []
  if (digits === '' || digits.length > maxVersionLength) return { terms: [], length: 0 }
  const numbers = digits.split('.')
  const terms = numbers.slice(1, maxNumbers).map((_, at) => numbers.slice(0, at + 2).join('.'))
  const first = match.length > digits.length ? `v${numbers[0]}` : `${numbers[0]}`
  return {
    terms: [...new Set([digits, ...terms.reverse(), first])],
    length: match.length,
  }
}

/** In characters; longer numbers are data. */
const maxVersionLength = 40
