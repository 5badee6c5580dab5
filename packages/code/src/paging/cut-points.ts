import { lastAtMost } from '@pith-mcp/paginator'
import type { SourceFile } from '../outline/source-file.ts'
import { type Parsed, unitSize } from '../parse/parsed.ts'
import { lineStartOver } from '../text/lines.ts'

/** A part of a file that is paged. Positions are UTF-16 offsets. */
export interface Span {
  start: number
  /** End of the signature; `start` if it has no signature. */
  body: number
  end: number
}

/** Starts of statements within a span, ascending. */
export interface CutPoints {
  /** Offsets into the file, at the start of a line. */
  positions: readonly number[]
  /** Number of statements that are open there. */
  depths: readonly number[]
}

/**
 * The starts of lines at which a statement or member of a span begins, including preceding
 * comments. Linear in the number of statements.
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
    const line = lineStartOver(text, start)
    if (line === undefined) continue
    const position = withLeads(text, leads, line)
    if (position <= last) continue
    positions.push(position)
    depths.push(depth)
    last = position
  }
  return { positions, depths }
}

/** An open statement, and the open block in it. */
export interface OpenUnit {
  start: number
  block?: number
}

/** At most this many open statements, from the innermost. */
const maxOpen = 64

/** The statements of a span that are open at an offset where another begins, outermost first. */
export function unitsAround(
  { parsed }: SourceFile,
  span: Span,
  position: number,
): readonly OpenUnit[] {
  const { units } = parsed
  const holders = holdersOf(parsed)
  const next = firstBehind(units, position - 1) / unitSize
  const around: OpenUnit[] = []
  let inner: number | undefined =
    next * unitSize < units.length && holders[next] !== -1
      ? (units[next * unitSize + 2] as number)
      : undefined
  for (let at = next - 1; at >= 0 && around.length < maxOpen; at = holders[at] as number) {
    const [start = 0, end = 0, block = 0] = units.subarray(at * unitSize, (at + 1) * unitSize)
    if (start <= span.start) break
    if (end <= position) continue
    const isIn = inner !== undefined && inner > start && inner < end
    around.push({ start, ...(isIn && { block: inner as number }) })
    inner = block
  }
  return around.reverse()
}

const holdersByParsed = new WeakMap<Parsed, Int32Array>()

/** For each unit, the index of its parent or -1. */
function holdersOf(parsed: Parsed): Int32Array {
  const cachedHolders = holdersByParsed.get(parsed)
  if (cachedHolders) return cachedHolders
  const { units } = parsed
  const holders = new Int32Array(units.length / unitSize)
  let open = -1
  for (let at = 0; at < holders.length; at++) {
    const start = units[at * unitSize] as number
    while (open >= 0 && (units[open * unitSize + 1] as number) <= start)
      open = holders[open] as number
    holders[at] = open
    open = at
  }
  holdersByParsed.set(parsed, holders)
  return holders
}

const firstBehind = (units: Uint32Array, offset: number): number =>
  (lastAtMost(units.length / unitSize, (at) => units[at * unitSize] as number, offset) + 1) *
  unitSize

/** Characters of white space between a comment and its statement. */
const maxGap = 500

/** The start of the line, or of the comments directly above it. */
function withLeads(text: string, leads: Uint32Array, line: number): number {
  let position = line
  for (let at = lastBefore(leads, position); at >= 0; at -= 2) {
    const begin = lineStartOver(text, leads[at] as number)
    const end = leads[at + 1] as number
    const isNear = position - end <= maxGap
    if (begin === undefined || !isNear || !/^[ \t\r]*\n?[ \t]*$/.test(text.slice(end, position)))
      break
    position = begin
  }
  return position
}

const lastBefore = (pairs: Uint32Array, offset: number): number =>
  lastAtMost(pairs.length / 2, (at) => pairs[at * 2] as number, offset - 1) * 2

/** The start of the comments directly above a line, or of the line. */
export const linesBefore = ({ text, parsed }: SourceFile, line: number): number =>
  withLeads(text, parsed.leads, line)

/** True if an offset is within a multi-line string or comment. */
export function isInToken({ parsed: { tokens } }: SourceFile, offset: number): boolean {
  const at = lastBefore(tokens, offset)
  return at >= 0 && (tokens[at + 1] as number) > offset
}
