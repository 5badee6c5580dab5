import { stemmer } from 'stemmer'

const scripts = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー`
const words = new RegExp(`[${scripts}]+|[\\p{L}\\p{N}\\p{M}_]+`, 'gu')
const unspaced = new RegExp(`^[${scripts}]`, 'u')
const humps = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu

/**
 * The terms by which a text is found: words by their English stem, identifiers whole and in parts
 * (`camelCase`, `snake_case`), unspaced Chinese and Japanese by pairs of characters.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const [word] of text.normalize('NFKC').matchAll(words)) {
    if (unspaced.test(word)) addPairs(word, terms)
    else addWord(word, terms)
  }
  return terms
}

function addPairs(run: string, terms: string[]): void {
  const characters = [...run]
  if (characters.length === 1) terms.push(run)
  for (let at = 0; at + 1 < characters.length; at++)
    terms.push(`${characters[at]}${characters[at + 1]}`)
}

function addWord(word: string, terms: string[]): void {
  terms.push(stem(word))
  if (!/_|\p{Ll}\p{Lu}/u.test(word)) return
  const parts = word.match(humps) ?? []
  if (parts.length > 1) for (const part of parts) terms.push(stem(part))
}

/** No word of a language is longer; what is, is data. */
const longestWord = 64

function stem(word: string): string {
  const lower = word.toLowerCase().slice(0, longestWord)
  return /^[a-z]{4,}$/.test(lower) ? stemmer(lower) : lower
}
