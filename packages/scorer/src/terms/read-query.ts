import { commonTerms, fillerTerms, stopTerms } from './stop-words.ts'
import { isKana, namePartsOf, termsOf } from './terms-of.ts'

export interface QueryTerm {
  term: string
  /** How much it matters, 0–1. */
  weight: number
}

export interface Query {
  /** Each once, in order. */
  terms: QueryTerm[]
  /** What was put in quotes, as terms in order. */
  phrases: string[][]
}

/**
 * What a query is: a question, where words in quotes belong together, or a request to do something,
 * where what is in quotes is a value that is handed on.
 */
export type Asking = 'question' | 'request'

/** Nobody asks more at once; what follows is ignored. */
export const longestQuery = 10_000
const mostTerms = 64
const fillerWeight = 0.2
const commonWeight = 0.75
/** Of a name in a request, beside the name itself: it is one word, not three. */
const namePartWeight = 0.4

/** A query as terms; words that say nothing only if there are no others. */
export function readQuery(text: string, asking: Asking = 'question'): Query {
  const isRequest = asking === 'request'
  const asked = plain(isRequest ? joined(text.slice(0, longestQuery)) : text.slice(0, longestQuery))
  const all = [...new Set(termsOf(asked))]
  const said = isRequest ? new Set(termsOf(asked.replace(values, ' '))) : undefined
  const nameParts = isRequest ? namePartsOf(asked) : undefined
  const weighted = all.map((term) => ({
    term,
    weight: Math.min(
      weightOf(term),
      isRequest && commonTerms.has(term) ? commonWeight : 1,
      said === undefined || said.has(term) ? 1 : fillerWeight,
      nameParts?.has(term) ? namePartWeight : 1,
    ),
  }))
  const telling = weighted.filter(({ weight }) => weight > 0)
  const terms = telling.length > 0 ? telling : all.map((term) => ({ term, weight: 1 }))
  const phrases = [...asked.matchAll(quoted)].map(([, phrase = '']) => termsOf(phrase))
  return {
    terms: terms.slice(0, mostTerms),
    phrases: phrases.filter((phrase) => phrase.length > 1).slice(0, 8),
  }
}

/** Terms that say what is asked about. */
export const tellingTerms = ({ terms }: Query): number =>
  terms.filter(({ weight }) => weight > fillerWeight).length

const values =
  /"[^"\n]{1,300}"|“[^”\n]{1,300}”|(?<!\p{L})'[^'\n]{1,300}'(?!\p{L})|`[^`\n]{1,300}`/gu
const quoted = /["“「『]([^"”」』]{2,200})["”」』]/g

function weightOf(term: string): number {
  if (stopTerms.has(term) || isKana(term)) return 0
  return fillerTerms.has(term) || /^\d+$/.test(term) ? fillerWeight : 1
}

/**
 * Addresses and paths say of what kind they are; what is in them is data. The end of `I'm` is no
 * word either, though programs have things called `m`.
 */
function plain(text: string): string {
  return text
    .replace(/(?<=\p{L})['’](?:d|ll|m|re|s|t|ve)(?!\p{L})/giu, ' ')
    .replace(/\b(?:https?|ftp):\/\/[^\s"'<>)]{1,2000}/gi, ' url ')
    .replace(/\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{2,64}/g, ' email ')
    .replace(
      /(?<![\w.])(?:~|\.{1,2})?(?:\/[\w.-]{1,100}){2,20}/g,
      (path) => ` path file ${path.split('.').slice(1).at(-1) ?? ''} `,
    )
}

/** What people write in two words, one of them a small one, and the names of tools in one. */
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
