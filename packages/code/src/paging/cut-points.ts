import { lastAtMost } from '@pith-mcp/paginator'
import type { SourceFile } from '../outline/source-file.ts'
import { unitSize } from '../parse/parsed.ts'
import type { Span } from './span.ts'

/** Where statements begin within a span, ascending. */
export interface CutPoints {
  /** Offsets into the file, at the begin of a line. */
  positions: readonly number[]
  /** How many statements are open there. */
  depths: readonly number[]
}

/**
 * The begins of lines at which a statement or member of a span begins, with the comments that
 * describe it before it. Linear in the number of statements.
 */
export function cutPoints({ text, parsed }: SourceFile, span: Span): CutPoints {
  const { units, leads } = parsed
  const positions: number[] = []
  const depths: number[] = []
  const open: number[] = []
  let last = span.start
  for (let at = firstBehind(units, span.start); at < units.length; at += unitSize) {
    const start = units[at] as number
    if (start >= span.end) break
    while (open.length > 0 && (open.at(-1) as number) <= start) open.pop()
    const depth = open.length
    open.push(units[at + 1] as number)
    const line = lineStart(text, start)
    if (text.slice(line, start).trim() !== '') continue
    const position = withLeads(text, leads, line)
    if (position <= last) continue
    positions.push(position)
    depths.push(depth)
    last = position
  }
  return { positions, depths }
}

/** A statement that is open at some place, and the block in it that is. */
export interface OpenUnit {
  start: number
  block?: number
}

/** The statements of a span that are open at an offset where another begins, outermost first. */
export function unitsAround(
  { parsed: { units } }: SourceFile,
  span: Span,
  position: number,
): OpenUnit[] {
  const open: { start: number; end: number; block: number }[] = []
  let inner: number | undefined
  for (let at = firstBehind(units, span.start); at < units.length; at += unitSize) {
    const start = units[at] as number
    const block = units[at + 2] as number
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= Math.min(start, position)) open.pop()
    if (start >= position) {
      inner = block
      break
    }
    open.push({ start, end: units[at + 1] as number, block })
  }
  const around = open.filter(({ end }) => end > position)
  return around.map(({ start }, index) => {
    const block = around[index + 1]?.block ?? inner
    return { start, ...(block !== undefined && block > start && { block }) }
  })
}

/** Index of the first unit that begins behind an offset. */
const firstBehind = (units: Uint32Array, offset: number): number =>
  (lastAtMost(units.length / unitSize, (at) => units[at * unitSize] as number, offset) + 1) *
  unitSize

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** The line, or that of the comments that stand directly above it. */
function withLeads(text: string, leads: Uint32Array, line: number): number {
  let position = line
  for (let at = lastBefore(leads, position); at >= 0; at -= 2) {
    const start = leads[at] as number
    const begin = lineStart(text, start)
    const isAlone = text.slice(begin, start).trim() === ''
    const between = text.slice(leads[at + 1] as number, position)
    if (!isAlone || !/^[ \t\r]*\n?[ \t]*$/.test(between)) break
    position = begin
  }
  return position
}

/** Index of the last pair that begins before an offset. */
const lastBefore = (pairs: Uint32Array, offset: number): number =>
  lastAtMost(pairs.length / 2, (at) => pairs[at * 2] as number, offset - 1) * 2

/** Where the comments begin that stand directly above a line, or the line. */
export const linesBefore = ({ text, parsed }: SourceFile, line: number): number =>
  withLeads(text, parsed.leads, line)

/** Whether an offset lies within a string or comment of several lines. */
export function isInToken({ parsed: { tokens } }: SourceFile, offset: number): boolean {
  const at = lastBefore(tokens, offset)
  return at >= 0 && (tokens[at + 1] as number) > offset
}
