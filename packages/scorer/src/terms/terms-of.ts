import { stemmer } from 'stemmer'

/** Scripts written without blanks between words. */
const unspacedScripts = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々`
const words = new RegExp(
  String.raw`[${unspacedScripts}]+|[\p{L}\p{N}\p{M}_]+(?:[.:\-/]{1,2}[\p{L}\p{N}\p{M}_]+)*`,
  'gu',
)
const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')
const runs = new RegExp(
  String.raw`[\p{sc=Han}々]+|[\p{sc=Katakana}ー]+|\p{sc=Hiragana}+|\p{sc=Hangul}+|[${unspacedScripts}]+|[^${unspacedScripts}]+`,
  'gu',
)
const humps = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu

/**
 * The terms by which a text is found, in order: words by their English stem; identifiers whole and
 * in parts (`camelCase`, `snake_case`, `dotted.names`, `--long-flags`); Chinese, Japanese, Korean
 * and other unspaced writing by pairs of characters of one script.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const [word] of text.normalize('NFKC').matchAll(words)) {
    if (unspaced.test(word))
      for (const [run] of word.matchAll(runs)) {
        if (unspaced.test(run)) addPairs(run, terms)
        else addWord(run, terms)
      }
    else addWord(word, terms)
  }
  return terms
}

/** Words that grammar adds, of which there are a few in every sentence. */
export const isKana = (term: string): boolean => /^\p{sc=Hiragana}+$/u.test(term)

export const isUnspaced = (term: string): boolean => unspaced.test(term)

function addPairs(run: string, terms: string[]): void {
  // サーバー and サーバ are one word.
  const characters = [...run.replace(/(?<=.{2})ー$/u, '')]
  if (characters.length === 1) terms.push(run)
  for (let at = 0; at + 1 < characters.length; at++)
    terms.push(`${characters[at]}${characters[at + 1]}`)
}

function addWord(word: string, terms: string[]): void {
  const joined = word.split(/[.:\-/]+/)
  if (joined.length > 1 && joined.length < 8) terms.push(limited(word.toLowerCase()))
  for (const part of joined) addName(part, terms)
}

function addName(name: string, terms: string[]): void {
  if (name === '') return
  if (!/[_\p{Lu}]/u.test(name) || !/_|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(name)) {
    terms.push(stem(name))
    return
  }
  terms.push(limited(name.toLowerCase()))
  const parts = name.match(humps) ?? []
  if (parts.length > 1 || parts[0] !== name) for (const part of parts) terms.push(stem(part))
}

/** No word of a language is longer; what is, is data. */
const longestWord = 64

const limited = (word: string): string => word.slice(0, longestWord)

function stem(word: string): string {
  const lower = limited(word.toLowerCase())
  return /^[a-z]{4,}$/.test(lower) ? stemOf(lower) : lower
}

/** Stemming is the larger part of reading a text, and texts repeat their words. */
const stems = new Map<string, string>()
const mostStems = 50_000

function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const found = stemmer(word.replace(/(?<=.{4})ships?$/, ''))
  if (stems.size < mostStems) stems.set(word, found)
  return found
}
