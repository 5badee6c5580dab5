import { fillerTerms, stopTerms } from './stop-words.ts'
import { isKana, termsOf } from './terms-of.ts'

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

/** Nobody asks more at once; what follows is ignored. */
const longestQuery = 10_000
const mostTerms = 64
const fillerWeight = 0.2

/** A question as terms; words that say nothing only if there are no others. */
export function readQuery(text: string, quotes: Quotes = 'phrases'): Query {
  const asked = plain(text.slice(0, longestQuery))
  const all = [...new Set(termsOf(asked))]
  const said = quotes === 'data' ? new Set(termsOf(asked.replace(values, ' '))) : undefined
  const weighted = all.map((term) => ({
    term,
    weight: Math.min(weightOf(term), said === undefined || said.has(term) ? 1 : fillerWeight),
  }))
  const telling = weighted.filter(({ weight }) => weight > 0)
  const terms = telling.length > 0 ? telling : all.map((term) => ({ term, weight: 1 }))
  const phrases = [...asked.matchAll(quoted)].map(([, phrase = '']) => termsOf(phrase))
  return {
    terms: terms.slice(0, mostTerms),
    phrases: phrases.filter((phrase) => phrase.length > 1).slice(0, 8),
  }
}

/** What quotes mean: words that belong together, or a value that is handed on. */
export type Quotes = 'phrases' | 'data'

const values =
  /"[^"\n]{1,300}"|“[^”\n]{1,300}”|(?<!\p{L})'[^'\n]{1,300}'(?!\p{L})|`[^`\n]{1,300}`/gu
const quoted = /["“「『]([^"”」』]{2,200})["”」』]/g

function weightOf(term: string): number {
  if (stopTerms.has(term) || isKana(term)) return 0
  return fillerTerms.has(term) || /^\d+$/.test(term) ? fillerWeight : 1
}

/** Addresses and paths say of what kind they are; what is in them is data. */
function plain(text: string): string {
  return text
    .replace(/\b(?:https?|ftp):\/\/[^\s"'<>)]{1,2000}/gi, ' url ')
    .replace(/\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{2,64}/g, ' email ')
    .replace(
      /(?<![\w.])(?:~|\.{1,2})?(?:\/[\w.-]{1,100}){2,20}/g,
      (path) => ` path file ${path.split('.').slice(1).at(-1) ?? ''} `,
    )
}

/** The parts of a request for several things: `create a branch and open a pull request`. */
export function partsOf(query: string): string[] {
  const parts = query
    .slice(0, longestQuery)
    .replace(/[^\S\n]+/g, ' ')
    .split(
      /[.;!?。、；！？]+(?:\s|$)|,\s+|\s+(?:and then|and|then|after that|afterwards|finally|also|plus)\s+|\n+/i,
    )
    .map((part) => part.trim())
    .filter((part) => readQuery(part).terms.filter(({ weight }) => weight === 1).length > 1)
  return parts.length > 1 ? parts.slice(0, 8) : []
}
