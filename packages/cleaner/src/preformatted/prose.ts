import type { Line } from './lines-of.ts'

/** Columns, as in a table; sentences may be as far apart in justified text. */
export const gap: RegExp = /[^\s.?!] {3,}(?=\S)/
const sentenceEnd = /[\p{L}\p{N})"'\]][.!?:]["')]?(?:\s|$)|[。！？]/u
/** Comments, statements and their ends in the usual languages. */
const codeLine =
  /^\s*(?:\/\/|\/\*|\*\/|#|--\s|"""|@\w|(?:class|const|def|export|from|function|import|let|private|public|return|static|struct|use|var)\b(?!.*\w\.$)|[\w.$[\]"']+ [-+]?= \S)|[;{}]\s*$|=>|\)\s*:\s*$/
/** A sign at the end of a sentence counts as two. */
const minWords = 4
/** Share of letters, spaces and the signs of sentences. */
const minLetters = 0.86

/** True for text that may be filled: words rather than signs, and no columns. */
export function isProse(text: string): boolean {
  const line = text.trim()
  if (gap.test(line)) return false
  const letters = line.length - (line.match(/[^\p{L}\p{M}\s,.'"-]/gu)?.length ?? 0)
  if (letters < line.length * minLetters) return false
  const words = line.split(/\s+/).length + (/\p{L}[.:!?]$/u.test(line) ? 2 : 0)
  return words >= minWords || /[\u3040-\u9fff]{12}/.test(line)
}

const minProsePerCode = 2.2
/** In characters. */
const maxPerSentence = 600

/** True for a text with sentences and little code. */
export function isManual(lines: readonly Line[]): boolean {
  let [prose, code, sentences, length] = [0, 0, 0, 0]
  for (const { text } of lines) {
    length += text.trim().length
    if (codeLine.test(text)) code++
    // After a term, or in the last column, text is prose too.
    if (!isProse(text.slice(text.lastIndexOf('   ') + 1))) continue
    prose++
    if (sentenceEnd.test(text)) sentences++
  }
  return prose > code * minProsePerCode && sentences * maxPerSentence > length
}
