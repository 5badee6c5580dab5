import { termsOf } from '@pith-mcp/scorer'

/** The words of a query. */
export interface Words {
  /** Each a group of it. */
  pattern: RegExp
  count: number
  /** Finds the last name of the query, as a whole. */
  whole: RegExp
  /** The names before it in a name path: its file has them somewhere. */
  around: readonly string[]
}

/** What a whole name is worth beside its words. */
export const worthOfWhole = 0.25

/** Of a query, in characters, that are read as words. */
const longestQuery = 1_000
/** Of a query that count; more are no name. */
const mostWords = 12

/** The query as the names it has, and, if nothing has these, as parts of names. */
export function readingsOf(query: string): Words[] {
  const all = query.split(/[\s/.#():,]+/).filter((name) => name.length > 1)
  // Of a name path, the last name stands in a line of its own.
  const isPath = /^\S+$/.test(query.trim()) && all.length > 1
  let names = isPath ? all.slice(-1) : all
  const around = isPath ? all.slice(0, -1) : []
  // What has no letters is one name: `<=>`, `[]`.
  if (!/[\p{L}\p{N}]/u.test(query)) names = [query.trim().slice(0, longestQuery)].filter(Boolean)
  const whole = names.map((name) => (/^[a-z]+$/.test(name) ? (termsOf(name)[0] ?? name) : name))
  const parts = termsOf(query.slice(0, longestQuery)).filter((term) => term.length > 1)
  return [
    { words: whole, around },
    { words: parts, around },
    // As it is called, what stands before it is no class but some value: `store.save`.
    ...(around.length > 0 ? [{ words: whole, around: [] }] : []),
  ]
    .map((reading) => ({
      ...reading,
      words: [...new Set(reading.words.map((word) => word.toLowerCase()))].slice(0, mostWords),
    }))
    .filter(({ words }) => words.length > 0)
    .map(({ words, around }) => ({
      pattern: patternOf(words),
      count: words.length,
      whole: new RegExp(`(?<![\\w$])${plain(names.at(-1) ?? '')}(?![\\w$])`, 'iu'),
      around,
    }))
}

/** Those of a query that nothing has. */
export const anyWords: Words = { pattern: /(?:)/g, count: 1, whole: /(?:)/, around: [] }

/** A name with no sign that a pattern would take for its own; any other sign must not be escaped. */
const plain = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const patternOf = (words: readonly string[]): RegExp =>
  new RegExp(words.map((word) => `(${plain(word)})`).join('|'), 'giu')

/**
 * A line that may define something, in one of many languages; blanks before and behind it left out.
 * No two parts of the pattern can take the same signs: the time is that of one look at the line.
 */
const defining =
  /^(?:@\w+\s+)?(?:export|default|pub|public|private|protected|internal|static|async|abstract|final|override|inline|virtual|extern|open|def|defp?|func|fn|fun|function|class|struct|interface|trait|enum|type|impl|module|namespace|sub|#\s*define|const|let|var|val|local|object|case class)\b|^\w[^;=(]*\([^;]*$|^\w[^;={(]*\([^;{]*\{|^[\w$<>,*&~:\s[\]]+\([^;]*\{$/

/**
 * The most that a line of a text promises: a word of the query is worth one, its last name as a whole
 * a little more, and all of it half as much where the line defines nothing.
 */
export function mostInLine(text: string, words: Words): number {
  const { pattern, count, whole, around } = words
  if (!around.every((name) => text.includes(name))) return 0
  let most = 0
  let line = -1
  let end = 0
  let seen = new Set<string>()
  const look = (): void => {
    if (line < 0 || seen.size + worthOfWhole <= most) return
    const own = text.slice(line, Math.min(end, line + longestLine))
    const worth = seen.size + (whole.test(own) ? worthOfWhole : 0)
    most = Math.max(most, defining.test(own.trim()) ? worth : worth / 2)
  }
  for (const match of text.matchAll(pattern)) {
    if (match.index >= end) {
      look()
      if (most > count) return most
      line = text.lastIndexOf('\n', match.index) + 1
      const newline = text.indexOf('\n', match.index)
      end = newline < 0 ? text.length : newline + 1
      seen = new Set()
    }
    seen.add(match[0].toLowerCase())
  }
  look()
  return most
}

const longestLine = 400
