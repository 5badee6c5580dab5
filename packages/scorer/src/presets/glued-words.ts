import { defined } from '../defined.ts'

/** Words of names that a description need not repeat. */
const small: ReadonlySet<string> = new Set(
  `all and api are by data for from get has id ids in info is list new not of on or post search set
  the to url user with`.split(/\s+/),
)

const gluedNames = /(?<![a-z])[a-z]{7,60}(?![a-z])/g
const longestText = 4000
/** Less of a name than this in words that are known, and it is another word that has them in it. */
const leastKnown = 0.6

/**
 * The words of names that are written as one, such as `constructorstandings`. What they are, the
 * tool's own text says: a dictionary would find words that nobody meant.
 */
export function gluedWords(name: string, text: string): string {
  const names = name.match(gluedNames)
  if (!names) return ''
  const words =
    text
      .slice(0, longestText)
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? []
  const known = new Set(words.flatMap((word) => [word, otherNumber(word)]))
  return names
    .filter((glued) => !known.has(glued))
    .flatMap((glued) => split(glued, known))
    .join(' ')
}

const otherNumber = (word: string): string => (word.endsWith('s') ? word.slice(0, -1) : `${word}s`)

/** The split with most letters in known words, and of those the one in fewest; none if that is little. */
function split(glued: string, known: ReadonlySet<string>): string[] {
  const isWord = (part: string): boolean => small.has(part) || (part.length > 2 && known.has(part))
  /** By end: the most that can be known, and where the last word of it begins. */
  const most = [0]
  const begins = [0]
  for (let end = 1; end <= glued.length; end++) {
    most[end] = defined(most[end - 1])
    begins[end] = end
    for (let begin = 0; begin < end - 1; begin++) {
      const worth = defined(most[begin]) + end - begin - 0.5
      if (worth <= defined(most[end]) || !isWord(glued.slice(begin, end))) continue
      most[end] = worth
      begins[end] = begin
    }
  }
  if (defined(most[glued.length]) < glued.length * leastKnown) return []
  return wordsAt(glued, begins)
}

/** The words that begin as said, and what is between them. */
function wordsAt(glued: string, begins: readonly number[]): string[] {
  const words: string[] = []
  let unknown = glued.length
  for (let end = glued.length; end > 0; ) {
    const begin = defined(begins[end])
    if (begin === end) {
      end--
      continue
    }
    words.unshift(glued.slice(begin, end), glued.slice(end, unknown))
    end = unknown = begin
  }
  words.unshift(glued.slice(0, unknown))
  const telling = words.filter((word) => small.has(word) || word.length > 2)
  return telling.length > 1 ? telling : []
}
