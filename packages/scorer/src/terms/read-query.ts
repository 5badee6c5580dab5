import { foldedOf } from './spellings.ts'
import { commonTerms, fillerTerms, stopTerms } from './stop-words.ts'
import { isKana, isUnspaced, namePartsOf, termsOf } from './terms-of.ts'

/** A term of a query with its weight. */
export interface QueryTerm {
  term: string
  /** Weight, 0–1. */
  weight: number
  /** The term without marks, which counts as well: `resum` of `résumé`. */
  folded?: string
}

/** A parsed query. */
export interface Query {
  /** Each once, in order. */
  terms: QueryTerm[]
  /** Quoted text, as terms in order. */
  phrases: string[][]
}

/**
 * Kind of a query: a question, in which quoted words belong together, or a request, in which quoted
 * text is a value.
 */
export type Asking = 'question' | 'request'

/** In characters; the rest is ignored. */
export const maxQueryLength = 10_000
/** Words of a query that count. */
const maxTerms = 64
/** Of text without spaces: a word is about three pairs of characters. */
const pairsOfWord = 3
const fillerWeight = 0.2
const commonWeight = 0.75
/** Weight of a part of a name in a request, relative to the name: it is one word, not three. */
const namePartWeight = 0.4

/**
 * The terms of a query; insignificant words are included only if there are no others. In a question,
 * words in capitals or quotes are significant: `IS NOT NULL`. A term with marks stands for the one
 * without them, too.
 */
export function readQuery(text: string, asking: Asking = 'question'): Query {
  const isRequest = asking === 'request'
  const reduced = reducedText(
    isRequest ? joined(text.slice(0, maxQueryLength)) : text.slice(0, maxQueryLength),
  )
  const all = distinctTerms(reduced)
  const stressed = isRequest ? undefined : new Set(termsOf(stressedIn(reduced)))
  const unquoted = isRequest ? new Set(termsOf(reduced.replace(values, ' '))) : undefined
  const nameParts = isRequest ? namePartsOf(reduced) : undefined
  const weighted = all.map((term) => ({
    term,
    weight: Math.min(
      stressed?.has(term) ? 1 : weightOf(term),
      isRequest && commonTerms.has(term) ? commonWeight : 1,
      unquoted === undefined || unquoted.has(term) ? 1 : fillerWeight,
      nameParts?.has(term) ? namePartWeight : 1,
    ),
  }))
  const telling = weighted.filter(({ weight }) => weight > 0)
  const terms: QueryTerm[] = telling.length > 0 ? telling : all.map((term) => ({ term, weight: 1 }))
  let length = 0
  const counted = terms.filter(({ term }) => {
    length += isUnspaced(term) ? 1 : pairsOfWord
    return length <= maxTerms * pairsOfWord
  })
  const phrases = [...reduced.matchAll(quoted)].map(([, phrase = '']) => termsOf(phrase))
  return {
    terms: counted.map((queryTerm) => {
      const folded = foldedOf(queryTerm.term)
      return folded === undefined ? queryTerm : { ...queryTerm, folded }
    }),
    phrases: phrases.filter((phrase) => phrase.length > 1).slice(0, 8),
  }
}

/** Each once, without those that others stand for. Signs alone are an operator. */
function distinctTerms(text: string): string[] {
  const terms = termsOf(text)
  const all = new Set(terms.length > 0 ? terms : termsOf(`\`${text.trim().slice(0, 4)}\``))
  for (const term of terms) all.delete(foldedOf(term) ?? '')
  return [...all]
}

/** Words in capitals, and quoted text. */
const stressedIn = (text: string): string =>
  [...text.matchAll(capitals), ...text.matchAll(values)].map(([part]) => part).join(' ')

/** The number of significant terms. */
export const tellingTerms = ({ terms }: Query): number =>
  terms.filter(({ weight }) => weight > fillerWeight).length

const values =
  /"[^"\n]{1,300}"|“[^”\n]{1,300}”|(?<!\p{L})'[^'\n]{1,300}'(?!\p{L})|`[^`\n]{1,300}`/gu
const capitals = /(?<![\p{L}\p{N}_])\p{Lu}{2,30}(?![\p{L}\p{N}_])/gu
const quoted = /["“「『]([^"”」』]{2,200})["”」』]/g

function weightOf(term: string): number {
  if (stopTerms.has(term) || isKana(term)) return 0
  return fillerTerms.has(term) || /^\d+$/.test(term) ? fillerWeight : 1
}

/**
 * Reduces URLs and paths to their kind, because their content is data, and removes endings such as
 * that of `I'm`, which are not words.
 */
function reducedText(text: string): string {
  return text
    .replace(/(?<=\p{L})['’](?:d|ll|m|re|s|t|ve)(?!\p{L})/giu, ' ')
    .replace(/\b(?:https?|ftp):\/\/[^\s"'<>)]{1,2000}/gi, ' url ')
    .replace(/\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{2,64}/g, ' email ')
    .replace(
      /(?<![\w.])(?:~|\.{1,2})?(?:\/[\w.-]{1,100}){2,20}/g,
      (path) => ` path file ${path.split('.').slice(1).at(-1) ?? ''} `,
    )
}

/** Phrases of two words, one of them short, that are one word in the names of tools. */
const twoWords: readonly (readonly [RegExp, string])[] = [
  [/\b(?:log|sign)(?:ging|ged|ning|ned)?[ -](?:in|on)(?:to)?\b/gi, 'login'],
  [/\b(?:log|sign)(?:ging|ged|ning|ned)?[ -](?:out|off)\b/gi, 'logout'],
  [/\bsign(?:ing|ed)?[ -]up\b/gi, 'signup'],
  [/\blook(?:ing|ed)?[ -]up\b/gi, 'lookup'],
  [/\bset(?:ting)?[ -]up\b/gi, 'setup'],
  [/\bback(?:ing|ed)?[ -]up\b/gi, 'backup'],
  [/\bto[ -]dos?\b/gi, 'todo'],
  [/\be-mail(?=s?\b)/gi, 'email'],
  [/\btime[ -]zone(?=s?\b)/gi, 'timezone'],
  [/\bhow (?:much|many|far|long|old|tall|big)\b/gi, 'how'],
]

const joined = (text: string): string =>
  twoWords.reduce((result, [pattern, word]) => result.replace(pattern, word), text)
