import type { Ranked, Ranker } from '../rank/ranker.ts'
import { withoutNested } from '../rank/without-nested.ts'

/** Accessors of an item. */
export interface CountFields<T> {
  heading: (item: T) => string
  /** The item's own text, without that of contained items. */
  text: (item: T) => string
  /** The item that contains this one. Of two nested hits, the better one is kept. */
  parent?: (item: T) => T | undefined
}

const headingScore = 10

/**
 * Rank by counting: 10 for each word of the query in the heading, 1 for each occurrence in the
 * item's own text. Ignores case and width (NFKC).
 */
export function countScorer<T>(items: readonly T[], fields: CountFields<T>): Ranker<T> {
  const documents = items.map((item, order) => ({
    item,
    order,
    heading: fold(fields.heading(item)),
    text: fold(fields.text(item)),
  }))

  return {
    rank(query, { limit = Number.POSITIVE_INFINITY } = {}) {
      const terms = queryTerms(fold(query))
      if (terms.words.length === 0) return []
      const hits = documents
        .map((document) => ({ ...score(document, terms), order: document.order }))
        .filter((hit) => hit.score > 0)
        .sort((a, b) => b.score - a.score || a.order - b.order)
      return withoutNested(hits, fields.parent, limit).map(({ item, score, reasons }) => ({
        item,
        score,
        reasons,
      }))
    },
  }
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

interface FoldedDocument<T> {
  item: T
  heading: string
  text: string
}

function score<T>({ item, heading, text }: FoldedDocument<T>, query: QueryTerms): Ranked<T> {
  const inHeading = query.words.filter((word) => heading.includes(word))
  const inText = query.words
    .map((word) => ({ word, count: countOccurrences(text, word) }))
    .filter(({ count }) => count > 0)
  const exact = heading.trim() === query.phrase
  return {
    item,
    score: inHeading.length * headingScore + inText.reduce((total, { count }) => total + count, 0),
    reasons: [
      ...(exact ? ['heading: exact'] : inHeading.map((word) => `heading: ${word}`)),
      ...inText.map(({ word, count }) => `own text: ${count} × ${word}`),
    ],
  }
}

/** The number of occurrences of `word` in `text`, without overlaps. */
function countOccurrences(text: string, word: string): number {
  let count = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) count++
  return count
}

interface QueryTerms {
  /** The query with collapsed white space. */
  phrase: string
  /** Its words, each once. */
  words: string[]
}

/** Further words are ignored, because each costs a pass over all text. */
const maxWords = 64

/** Punctuation around a word; characters that may belong to a name are kept, as in `--flag`. */
const around = /^["'“”‘’«»([{<,;:!?¿]+|["'“”‘’«»()[\]{}>,;:!?.。、？！]+$/g

function queryTerms(query: string): QueryTerms {
  const all = query
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(around, '') || word)
    .filter(Boolean)
  return { phrase: all.join(' '), words: [...new Set(all)].slice(0, maxWords) }
}
