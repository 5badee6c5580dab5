/** Length of the longest run of backticks; a fence around the text must be longer. */
export function longestBackticks(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
