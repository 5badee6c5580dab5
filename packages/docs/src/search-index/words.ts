import { editDistance } from '@pith-mcp/scorer'

const words = /\p{L}[\p{L}\p{M}\p{N}]{2,23}/gu
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

/** The words of a text that typing errors may be corrected to, each once, in lower case. */
export function wordsIn(text: string): Set<string> {
  const lowerWords = new Set<string>()
  for (const [word] of text.matchAll(words)) {
    const lower = word.toLowerCase()
    if (!unspaced.test(lower)) lowerWords.add(lower)
  }
  return lowerWords
}

/** The number of wrong letters that are tolerated in a word. */
export const allowedSlips = (word: string): number =>
  word.length < 4 ? 0 : word.length < 8 ? 1 : 2

const letters = [...'abcdefghijklmnopqrstuvwxyz']

/**
 * How a word may begin that was meant: with the same letter, with the first two letters swapped, or
 * with one more letter at the start.
 */
export const beginningsOf = (word: string): { firsts: string[]; longer: string[] } => ({
  firsts: [...new Set([word.slice(0, 1), word.slice(1, 2)])],
  longer: letters.map((letter) => letter + word),
})

const maxNearest = 5

/** Words that occur in the index and may have been meant, nearest first. */
export function nearestWords(word: string, candidates: Iterable<string>): string[] {
  const allowed = allowedSlips(word)
  if (allowed === 0) return []
  const matches: { candidate: string; distance: number }[] = []
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > allowed) continue
    const distance = editDistance(word, candidate, allowed)
    if (distance <= allowed && distance > 0) matches.push({ candidate, distance })
  }
  return matches
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, maxNearest * 4)
    .map(({ candidate }) => candidate)
}
