import type { Line } from './lines-of.ts'

/** Columns, as in a table; sentences may be as far apart in justified text. */
export const gap: RegExp = /[^\s.?!] {3,}(?=\S)/
const sentenceEnd = /[\p{L}\p{N})"'\]][.!?:]["')]?(?:\s|$)|[。！？]/u
/** Comments, statements and their ends in the usual languages. */
const codeLine =
  /^\s*(?:\/\/|\/\*|\*\/|#|;;|--\s|"""|@\w|(?:assert|class|const|def|elif|else:|except|export|extern|from|function|import|let|my|package|pass|private|public|raise|return|self|static|struct|sub|try:|typedef|use|var|with)\b(?!.*\w\.$)|[\w.$[\]"']+ [-+]?= \S)|[;{}]\s*$|=>|\)\s*:\s*$|\w\(\)/
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

/** Shares of the lines: those of code, without and with fragments in the text, and fragments. */
const maxCode = { plain: 0.25, anchored: 0.55 }
const minAnchored = 3
const maxAnchored = 0.3
/** Shares of prose. */
const minProse = { lines: 0.15, characters: 0.35 }
/** In characters of prose. */
const maxPerSentence = 600

/** True for a text with sentences and little code. Fragments at each line mark a listing. */
export function isManual(lines: readonly Line[]): boolean {
  const written = lines.filter(({ text }) => /\S/.test(text))
  const code = written.filter(({ text }) => codeLine.test(text)).length / written.length
  const anchored = written.filter(({ ids }) => ids.length > 0).length
  if (anchored > written.length * maxAnchored) return false
  if (!(code <= (anchored >= minAnchored ? maxCode.anchored : maxCode.plain))) return false
  // After a term, or in the last column, text is prose too.
  const prose = written.filter(({ text }) => isProse(text.slice(text.lastIndexOf('   ') + 1)))
  const sentences = prose.filter(({ text }) => sentenceEnd.test(text)).length
  if (prose.length < written.length * minProse.lines) return false
  const length = lengthOf(prose)
  return length >= lengthOf(written) * minProse.characters && sentences * maxPerSentence > length
}

const lengthOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { text }) => sum + text.trim().length, 0)
