import { termsOf } from '@pith-mcp/scorer'
import { escapePattern } from '#base/escape-pattern'
import { decodeText, isWide } from '../access/read-text.ts'

export interface Words {
  /** Matches the words, each in its own group. */
  pattern: RegExp
  count: number
  /** The last name, or all, as written. */
  names: readonly string[]
  /** In lower case; none for everything. */
  words: readonly string[]
  /** Matches the last name of the query as a whole word. */
  whole: RegExp
  /** Files that define the whole name do not make the others needless. */
  isPart: boolean
  /** The names before it in a name path, which the file must contain. */
  around: readonly string[]
}

/** Score of a match of the whole name, relative to one word. */
export const worthOfWhole = 0.25

/** Characters of a query that are tokenised. */
const maxQueryLength = 1_000
/** At most this many words of a query are used. */
const maxWords = 12

/** The query as whole names, and as a fallback as parts of names. */
export function readingsOf(query: string, isPart = false): Words[] {
  const all = query.split(/[\s/.#():,]+/).filter((name) => name.length > 1)
  // The last name of a name path is on its own line.
  const isPath = /^\S+$/.test(query.trim()) && all.length > 1
  let names = isPath ? all.slice(-1) : all
  const around = isPath ? all.slice(0, -1) : []
  // A query without letters, or of one, is one name: `<=>`, `[]`, `f`.
  if (names.length === 0 || !/[\p{L}\p{N}]/u.test(query))
    names = [query.trim().slice(0, maxQueryLength)].filter(Boolean)
  const lower = query.toLowerCase()
  const stems = names.map((name) =>
    /^[a-z]+$/.test(name) ? beginningIn(lower, termsOf(name)[0] ?? name) : name,
  )
  const parts = termsOf(query.slice(0, maxQueryLength))
    .filter((term) => term.length > 1)
    .map((term) => beginningIn(lower, term))
  return [
    { words: stems, around },
    { words: parts, around },
    // In `store.save` the qualifier may be a variable instead of a class.
    ...(around.length > 0 ? [{ words: stems, around: [] }] : []),
  ]
    .map((reading) => ({
      ...reading,
      words: [...new Set(reading.words.map((word) => word.toLowerCase()))].slice(0, maxWords),
    }))
    .filter(({ words }) => words.length > 0)
    .map((reading) => wordsOf(names, reading, isPart))
}

/** One name as it is, in any case. */
export const exactWords = (name: string): Words =>
  wordsOf([name], { words: [name.toLowerCase()], around: [] }, false)

const wordsOf = (
  names: readonly string[],
  { words, around }: Pick<Words, 'words' | 'around'>,
  isPart: boolean,
): Words => ({
  pattern: patternOf(words),
  count: words.length,
  names,
  words,
  whole: new RegExp(`(?<![\\w$])${escapePattern(names.at(-1) ?? '')}(?![\\w$])`, 'iu'),
  around,
  isPart,
})

/** A stem as far as it is in the query: that of `many` is `mani`, which no name has. */
function beginningIn(lower: string, stem: string): string {
  let beginning = stem
  while (beginning.length > 2 && !lower.includes(beginning)) beginning = beginning.slice(0, -1)
  return beginning
}

/** Matches everything; used if no file contains the words of a query. */
export const anyWords: Words = {
  pattern: /(?:)/g,
  count: 1,
  names: [],
  words: [],
  whole: /(?:)/,
  around: [],
  isPart: false,
}

const patternOf = (words: readonly string[]): RegExp =>
  new RegExp(
    words.map((word) => `(${escapePattern(word)})`).join('|'),
    isAscii(words) ? 'gi' : 'giu',
  )

/** A pattern without the `u` flag ignores the case of ASCII letters only, in half the time. */
const isAscii = (words: readonly string[]): boolean =>
  words.every((word) => /^[\0-\x7f]*$/.test(word))

/** The bytes of a file, and the same as a text of as many characters. */
export interface FileBytes {
  bytes: Uint8Array
  latin1: string
}

/**
 * How many of the words occur in a file, whatever their case. Words of ASCII are looked for in its
 * bytes, without decoding them.
 */
export function wordFinder({ words, around }: Words): (content: FileBytes) => number {
  const isPlain = isAscii([...words, ...around])
  // One pattern a word: V8 skips characters for one word, but not for alternatives.
  const each = words.map((word) => new RegExp(escapePattern(word), isPlain ? 'i' : 'iu'))
  return ({ latin1, bytes }) => {
    const text = isPlain && !isWide(bytes) ? latin1 : decodeText(bytes)
    return around.every((name) => text.includes(name))
      ? each.filter((word) => word.test(text)).length
      : 0
  }
}

/**
 * A trimmed line that may define something, in one of many languages. No two adjacent parts of the
 * pattern match the same characters, so matching takes linear time.
 */
const defining =
  /^(?:@\w+\s+)?(?:export|default|pub|public|private|protected|internal|static|async|abstract|final|override|inline|virtual|extern|open|def|defp?|func|fn|fun|function|class|struct|interface|trait|enum|type|impl|module|namespace|sub|#\s*define|const|let|var|val|local|object|case class)\b|^\w[^;=(]*\([^;]*$|^\w[^;={(]*\([^;{]*\{|^[\w$<>,*&~:\s[\]]+\([^;]*\{$/

/**
 * Upper bound of the score of any line of a text: one for each word of the query, a little more for
 * the last name as a whole, and half of it if the line defines nothing.
 */
export function maxInLine(text: string, words: Words): number {
  const { pattern, count, whole: wholeWord, around } = words
  if (!around.every((name) => text.includes(name))) return 0
  let most = 0
  let line = -1
  let end = 0
  let lineWords = new Set<string>()
  const look = (): void => {
    if (line < 0 || lineWords.size + worthOfWhole <= most) return
    const lineText = text.slice(line, Math.min(end, line + maxLineLength))
    const worth = lineWords.size + (wholeWord.test(lineText) ? worthOfWhole : 0)
    most = Math.max(most, defining.test(lineText.trim()) ? worth : worth / 2)
  }
  for (const match of text.matchAll(pattern)) {
    if (match.index >= end) {
      look()
      if (most > count) return most
      line = text.lastIndexOf('\n', match.index) + 1
      const newline = text.indexOf('\n', match.index)
      end = newline < 0 ? text.length : newline + 1
      lineWords = new Set()
    }
    lineWords.add(match[0].toLowerCase())
  }
  look()
  return most
}

const maxLineLength = 400
