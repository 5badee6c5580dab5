import { lastAtMost } from '@pith-mcp/paginator'

/** Where the lines of a text begin. Lines are counted from 1. */
export interface Lines {
  readonly count: number
  /** The line of an offset. */
  lineAt(offset: number): number
  /** The offset a line begins at; the length of the text behind the last one. */
  startOf(line: number): number
  /** A line without its newline; of a long one, its begin. */
  text(line: number): string
}

export function createLines(text: string): Lines {
  const starts: number[] = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  // What follows the last newline is a line only if there is something.
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop()
  const startOf = (line: number): number =>
    line > starts.length ? text.length : (starts[Math.max(1, line) - 1] as number)
  return {
    count: text === '' ? 0 : starts.length,
    lineAt: (offset) => lastAtMost(starts.length, (at) => starts[at] as number, offset) + 1,
    startOf,
    text(line) {
      const start = startOf(line)
      return text.slice(start, Math.min(startOf(line + 1), start + longestLine)).trimEnd()
    },
  }
}

const longestLine = 1_000

/** Where the line of an offset begins, if only blanks stand before the offset. */
export function lineStartOver(text: string, offset: number): number | undefined {
  let at = offset
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--
  return at === 0 || text[at - 1] === '\n' ? at : undefined
}
