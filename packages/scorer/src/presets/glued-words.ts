import { defined } from '../defined.ts'

/** Short words of names that a description need not contain. */
const small: ReadonlySet<string> = new Set(
  `all and api are by data for from get has id ids in info is list new not of on or post search set
  the to url user with`.split(/\s+/),
)

const gluedNames = /(?<![a-z])[a-z]{7,60}(?![a-z])/g
const maxTextLength = 4000
/**
 * Minimum share of a name in known words; otherwise it is a different word that only contains them.
 */
const minKnown = 0.6

/**
 * The words of names without separators, such as `constructorstandings`. Words are taken from the
 * tool's own text, because a dictionary would find unrelated ones.
 */
export function gluedWords(name: string, text: string): string {
  const names = name.match(gluedNames)
  if (!names) return ''
  const words =
    text
      .slice(0, maxTextLength)
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? []
  const known = new Set(words.flatMap((word) => [word, otherNumber(word)]))
  return names
    .filter((glued) => !known.has(glued))
    .flatMap((glued) => split(glued, known))
    .join(' ')
}

const otherNumber = (word: string): string => (word.endsWith('s') ? word.slice(0, -1) : `${word}s`)

/**
 * The split with the most letters in known words, and of those the one with the fewest words; empty
 * if the share is too small.
 */
function split(glued: string, known: ReadonlySet<string>): string[] {
  const isWord = (part: string): boolean => small.has(part) || (part.length > 2 && known.has(part))
  /** By end offset: the maximum number of known letters, and the start of the last word. */
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
  if (defined(most[glued.length]) < glued.length * minKnown) return []
  return wordsAt(glued, begins)
}

/** The words with the given starts, and the text between them. */
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
