export interface QueryTerms {
  /** The query with its blanks collapsed. */
  phrase: string
  /** Its words, each once. */
  words: string[]
}

/** Words past this many are ignored: no question needs them, and each costs a pass over all text. */
const mostWords = 64

/** Punctuation of a sentence around a word; what may belong to a name, as in `--flag`, stays. */
const around = /^["'“”‘’«»([{<,;:!?¿]+|["'“”‘’«»()[\]{}>,;:!?.。、？！]+$/g

/** Split a query at blanks. */
export function queryTerms(query: string): QueryTerms {
  const all = query
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(around, '') || word)
    .filter(Boolean)
  return { phrase: all.join(' '), words: [...new Set(all)].slice(0, mostWords) }
}
