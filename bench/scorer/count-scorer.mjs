// The first scorer of this project, as a contender: 10 for each word of the query in the heading,
// 1 for each occurrence in the text. Ignores case and width (NFKC).

const headingScore = 10

/** Further words are ignored, because each costs a pass over all text. */
const maxWords = 64

/** Punctuation around a word; characters that may belong to a name are kept, as in `--flag`. */
const around = /^["'“”‘’«»([{<,;:!?¿]+|["'“”‘’«»()[\]{}>,;:!?.。、？！]+$/g

/** Documents with `id`, `heading` and `text` → (query, limit) → ids, best first. */
export function countScorer(documents) {
  const folded = documents.map(({ id, heading, text }) => ({
    id,
    heading: fold(heading),
    text: fold(text),
  }))
  return (query, limit) => {
    const words = wordsOf(fold(query))
    return folded
      .map((document, order) => ({ id: document.id, order, score: scoreOf(document, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.order - b.order)
      .slice(0, limit)
      .map(({ id }) => id)
  }
}

const fold = (text) => text.normalize('NFKC').toLowerCase()

const wordsOf = (query) => {
  const words = query.split(/\s+/).map((word) => word.replace(around, '') || word)
  return [...new Set(words.filter(Boolean))].slice(0, maxWords)
}

const scoreOf = ({ heading, text }, words) =>
  words.reduce(
    (sum, word) => sum + (heading.includes(word) ? headingScore : 0) + text.split(word).length - 1,
    0,
  )
