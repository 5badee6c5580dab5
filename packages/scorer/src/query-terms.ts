export interface QueryTerms {
  /** The query with its blanks collapsed. */
  phrase: string
  /** Its words, each once. */
  words: string[]
}

/** Words past this many are ignored: no question needs them, and each costs a pass over all text. */
const mostWords = 64

/** Split a query at blanks. */
export function queryTerms(query: string): QueryTerms {
  const all = query.trim().split(/\s+/).filter(Boolean)
  return { phrase: all.join(' '), words: [...new Set(all)].slice(0, mostWords) }
}
