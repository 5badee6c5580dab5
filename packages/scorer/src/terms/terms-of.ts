import { signs } from './signs.ts'
import { foldedOf, separators, versionIn } from './spellings.ts'
import { stemOf } from './stem.ts'

/** Scripts without spaces between words. */
const unspacedScripts = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々`
const words = new RegExp(
  String.raw`[${unspacedScripts}]+|(?:(?<![\w-])--?(?=[A-Za-z]))?[\p{L}\p{N}\p{M}_]+(?:[.:\-/]{1,2}[\p{L}\p{N}\p{M}_]+)*${signs.endOfName}|${signs.operator}`,
  'gu',
)
const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')
const runs = new RegExp(
  String.raw`[\p{sc=Han}々]+|[\p{sc=Katakana}ー]+|\p{sc=Hiragana}+|\p{sc=Hangul}+|[${unspacedScripts}]+|[^${unspacedScripts}]+`,
  'gu',
)
const humps = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{M}\p{N}]+/gu

/**
 * Most text is ASCII plus characters that are not part of words. For it, these patterns find the
 * same words and compile a hundred times faster than those above, which contain tables of all of
 * Unicode.
 */
const plainText =
  /^[\0-\x7f\xa0-\xa7\xa9\xab-\xae\xb0\xb1\xb6\xb7\xbb\xbf\u2000-\u2023\u2026-\u206f\u2190-\u22ff]*$/
const plainWords = new RegExp(
  String.raw`(?:(?<![\w-])--?(?=[A-Za-z]))?\w+(?:[.:\-/]{1,2}\w+)*${signs.endOfName}|${signs.operator}`,
  'g',
)
const plainWord = /^[\0-\x7f]*$/
const plainHumps = /[A-Z]+(?![a-z])\d*|[A-Z]?[a-z\d]+/g

/** Caches words, because tokenising dominates and texts repeat their words. */
const termsByWord = new Map<string, readonly string[]>()
const maxKnown = 30_000
const maxKnownLength = 40

/**
 * The terms of a text or a query, in order: words by their English stem, those with marks also
 * without them; identifiers whole and in parts (`camelCase`, `snake_case`, `dotted.names`,
 * `--long-flags`), whole the same whatever their case and separators; versions and their beginnings;
 * names with signs (`C++`) and operators; Chinese, Japanese, Korean and other text without spaces as
 * pairs of characters of one script.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const word of wordsOf(text)) for (const term of termsOfWord(word)) terms.push(term)
  return terms
}

/** Terms that occur only as parts of names: `tube` of `YouTube`. */
export function namePartsOf(text: string): Set<string> {
  const parts = new Set<string>()
  const wordTerms = new Set<string>()
  for (const word of wordsOf(text)) {
    const [name = '', ...rest] = termsOfWord(word)
    wordTerms.add(name)
    for (const term of rest) (isUnspaced(term) ? wordTerms : parts).add(term)
  }
  for (const term of wordTerms) parts.delete(term)
  return parts
}

const wordsOf = (text: string): readonly string[] =>
  (plainText.test(text)
    ? text.match(plainWords)
    : // An ellipsis is not an operator of three signs.
      text.replaceAll('…', '—').normalize('NFKC').match(words)) ?? []

/** The terms of a text, with identifiers replaced by their parts. */
export const partTermsOf = (text: string): string[] =>
  termsOf(
    text
      .replace(/(?<!\d)[_.:\-/]+|[_.:\-/]+(?!\d)/g, ' ')
      .replace(/\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& '),
  )

function termsOfWord(word: string): readonly string[] {
  const before = termsByWord.get(word)
  if (before) return before
  const terms: string[] = []
  if (signs.only.test(word)) terms.push(word.replaceAll('\\', ''))
  else if (isUnspaced(word)) {
    for (const [run] of word.matchAll(runs)) {
      if (isUnspaced(run)) addPairs(run, terms)
      else addWord(run, terms)
    }
  } else addWord(word, terms)
  if (!plainWord.test(word)) terms.push(...terms.flatMap((term) => foldedOf(term) ?? []))
  if (termsByWord.size >= maxKnown) termsByWord.clear()
  if (word.length <= maxKnownLength) termsByWord.set(word, terms)
  return terms
}

/** Grammatical words, several of which occur in every sentence. */
export const isKana = (term: string): boolean =>
  !plainWord.test(term) && /^\p{sc=Hiragana}+$/u.test(term)

export const isUnspaced = (term: string): boolean => !plainWord.test(term) && unspaced.test(term)

function addPairs(run: string, terms: string[]): void {
  // サーバー and サーバ are one word.
  const characters = [...run.replace(/(?<=.{2})ー$/u, '')]
  if (characters.length === 1) terms.push(run)
  for (let at = 0; at + 1 < characters.length; at++)
    terms.push(`${characters[at]}${characters[at + 1]}`)
}

function addWord(word: string, terms: string[]): void {
  if (plainLetters.test(word)) {
    addName(word, terms)
    return
  }
  const [, dashes = '', name = '', sign = ''] = wordParts.exec(word) ?? []
  if (name === '') return
  // Of `C/C++`, the last name.
  if (sign !== '') terms.push(limited(`${name.split(/[.:\-/]+/).at(-1)}${sign}`.toLowerCase()))
  if (dashes !== '') terms.push(dashes + wholeOf(name))
  const version = versionIn(name)
  const parts = name.slice(version.length).split(/[.:\-/]+/)
  const isJoined = version.length > 0 ? version.length < name.length : parts.length > 1
  // Of a path, the folders matter, not the whole.
  if (isJoined && (parts.length < maxJoined || !/[:/]/.test(name))) terms.push(wholeOf(name))
  terms.push(...version.terms)
  for (const part of parts) if (part !== '') addName(part, terms)
}

/** Most words. */
const plainLetters = /^[A-Za-z]+$/
const wordParts = /^(-{0,2})[.:\-/]*([^.:\-/].*?)(\+\+|#)?$/s
/** Words of more parts are not indexed as a whole. */
const maxJoined = 8

function addName(word: string, terms: string[]): void {
  const name = word.includes('_') ? word.replace(edges, '') : word
  if (name !== word) terms.push(limited(word.toLowerCase()))
  if (name === '') return
  const wholeTerm = wholeOf(name)
  terms.push(wholeTerm)
  if (isHexadecimal.test(name)) {
    terms.push(stem(wholeTerm.slice(2)))
    return
  }
  const isPlain = plainWord.test(name)
  if (!(isPlain ? isJoinedPlain(name) : isJoined(name))) return
  const parts = name.match(isPlain ? plainHumps : humps) ?? []
  if (parts.length > 1) for (const part of parts) terms.push(stem(part))
}

/** Underscores of names such as `__init__`. */
const edges = /^_+|_+$/g
const isHexadecimal = /^0x[\da-f_]{2,}$/i

/**
 * The term of a whole name, the same however its parts are joined and whatever their case: `x86_64`,
 * `x86-64`, `X8664`. Numbers keep their separators.
 */
const wholeOf = (name: string): string =>
  stem(/^[\d.:\-/]+$/.test(name) ? name : name.replace(separators, ''))

/** True for a compound name, `snake_case`, `camelCase`, `HTMLElement`; not for `IDs`. */
const isJoinedPlain = (name: string): boolean =>
  /_|[a-z]\d*[A-Z]|[A-Z]{2}[a-z]/.test(name) && !/^[A-Z]{2,}s$/.test(name)
const isJoined = (name: string): boolean =>
  /_|\p{Ll}\p{N}*\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(name) && !/^\p{Lu}{2,}s$/u.test(name)

/** In characters; longer text is not a word but data. */
const maxWordLength = 64

const limited = (word: string): string => word.slice(0, maxWordLength)

const stem = (word: string): string => stemOf(limited(word.toLowerCase()))
