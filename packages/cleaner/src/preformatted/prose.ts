import type { Line } from './lines-of.ts'

/** Columns, as in a table. */
export const gap: RegExp = /\S {3,}(?=\S)/
const sentenceEnd = /[\p{L}\p{N})"'\]][.!?:]["')]?(?:\s|$)|[。！？]/u
/** Comments, prompts and ends of statements. */
const codeLine = /^\s*(?:\/\/|\/\*|\*|#|--|;|\$ |>>>)|[;{}]\s*$|=>|\w\(\)|\w = \w/
const minWords = 4
/** Share of letters, spaces and the signs of sentences. */
const minLetters = 0.86

/** True for text that may be filled: words rather than signs, and no columns. */
export function isProse(text: string): boolean {
  const line = text.trim()
  if (gap.test(line)) return false
  const letters = line.length - (line.match(/[^\p{L}\p{M}\s,.'"-]/gu)?.length ?? 0)
  if (letters < line.length * minLetters) return false
  return line.split(/\s+/).length >= minWords || /[\u3040-\u9fff]{12}/.test(line)
}

/** Lines of at least this share of the characters are prose. */
const minProse = 0.35
/** In characters of prose. */
const maxPerSentence = 600

/** True for lines of a manual: more prose than code, with sentences. */
export function isManual(lines: readonly Line[]): boolean {
  let all = 0
  let prose = 0
  let code = 0
  let sentences = 0
  for (const { text } of lines) {
    const { length } = text.trim()
    all += length
    if (codeLine.test(text)) code += length
    else if (isProse(text)) {
      prose += length
      if (sentenceEnd.test(text)) sentences++
    }
  }
  return prose > code && prose > all * minProse && sentences * maxPerSentence > prose
}
