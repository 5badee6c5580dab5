/** How often `word` occurs in `text`, without overlaps. */
export function countOccurrences(text: string, word: string): number {
  let count = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) count++
  return count
}
