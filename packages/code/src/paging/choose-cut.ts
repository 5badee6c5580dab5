import { lastAtMost, wholeCharacter } from '@pith-mcp/paginator'
import type { SourceFile } from '../outline/source-file.ts'
import { type CutPoints, isInToken } from './cut-points.ts'

/** How much of a page is looked through, from its end, for a good place to cut. */
const windows = [0.3, 0.7, 1] as const
/** How many open statements a page that is filled to the last is worth. */
const worthOfFill = 6
/** Least part of a page that is filled, if only a line can be cut at. */
const leastFilled = 0.5

/**
 * Where a page that begins at `from` and may go to `limit` ends: at the begin of a statement in its
 * last part that leaves few others open; else of a line outside strings and comments, of any line,
 * or between two characters. Always behind `from`.
 */
export function chooseCut(file: SourceFile, cuts: CutPoints, from: number, limit: number): number {
  for (const window of windows) {
    const best = bestStatement(cuts, Math.max(from, limit - (limit - from) * window), limit)
    if (best > from) return best
  }
  return lineCut(file, from, limit) ?? characterCut(file.text, from, limit)
}

function bestStatement({ positions, depths }: CutPoints, after: number, limit: number): number {
  let best = -1
  let bestCost = Number.POSITIVE_INFINITY
  const last = lastAtMost(positions.length, (at) => positions[at] as number, limit)
  for (let at = last; at >= 0; at--) {
    const position = positions[at] as number
    if (position <= after) break
    const cost = (depths[at] as number) + (worthOfFill * (limit - position)) / (limit - after || 1)
    if (cost < bestCost) {
      bestCost = cost
      best = position
    }
  }
  return best
}

function lineCut(file: SourceFile, from: number, limit: number): number | undefined {
  const page = file.text.slice(from, limit)
  let any: number | undefined
  for (let at = page.lastIndexOf('\n') + 1; at > 0; at = page.lastIndexOf('\n', at - 2) + 1) {
    if (!isInToken(file, from + at)) return from + at
    any ??= from + at
    if (at < page.length * leastFilled) break
  }
  return any
}

function characterCut(text: string, from: number, limit: number): number {
  const whole = wholeCharacter(text, limit)
  if (whole > from) return whole
  // A character of many signs that does not fit is given whole, if it is not endless.
  for (let end = from + 1; end < from + 64 && end < text.length; end++)
    if (wholeCharacter(text, end) === end) return end
  return Math.min(text.length, from + 64)
}
