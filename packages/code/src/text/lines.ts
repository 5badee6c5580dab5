import { lastAtMost } from '@pith-mcp/paginator'

/** The lines of a text, counted from 1. */
export interface Lines {
  readonly count: number
  lineAt(offset: number): number
  /** The start offset of a line; the length of the text after the last line. */
  startOf(line: number): number
  /** A line without its newline, cut to 1,000 characters. */
  text(line: number): string
}

export function createLines(text: string): Lines {
  const starts: number[] = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  // An empty text after the last newline is not a line.
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop()
  const startOf = (line: number): number =>
    line > starts.length ? text.length : (starts[Math.max(1, line) - 1] as number)
  return {
    count: text === '' ? 0 : starts.length,
    lineAt: (offset) => lastAtMost(starts.length, (at) => starts[at] as number, offset) + 1,
    startOf,
    text(line) {
      const start = startOf(line)
      return text.slice(start, Math.min(startOf(line + 1), start + maxLineLength)).trimEnd()
    },
  }
}

const maxLineLength = 1_000

/** The start of the line of an offset, if only blanks precede the offset. */
export function lineStartOver(text: string, offset: number): number | undefined {
  let at = offset
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--
  return at === 0 || text[at - 1] === '\n' ? at : undefined
}
