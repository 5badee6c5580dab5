import { characterBoundary, wholePair } from './character-boundary.ts'
import type { Content } from './content.ts'
import { lastAtMost } from './last-at-most.ts'
import type { Region } from './scan-regions.ts'

interface End {
  end: number
  /** Closes an open fence. */
  after: string
}

/** A page ends at a piece if that fills at least this share of it. */
const wellFilled = 0.75
/** Characters before the limit that are searched for a better place to cut. */
const lookBack = 200

/** Choose the end of a page that begins at `from`. Always after `from`. */
export function chooseEnd(content: Content, from: number, budget: number): End {
  const { text, regions } = content
  const limit = from + budget
  if (limit >= text.length) return { end: text.length, after: '' }
  const region = regionOver(regions, limit)
  const piece = lastPieceEnd(content, from, limit)
  if (piece > from && endsWell(content, region, { from, limit, budget, piece }))
    return { end: piece, after: '' }
  if (!region) return { end: cutText(content, from, limit), after: '' }
  // A fence or table that begins on this page and fits into the next one moves there as a whole.
  if (region.start > from && region.end - region.start <= budget)
    return { end: region.start, after: '' }
  return cutRegion(text, region, from, limit)
}

function endsWell(
  { text, starts, kinds }: Content,
  region: Region | undefined,
  at: { from: number; limit: number; budget: number; piece: number },
): boolean {
  if (at.piece - at.from >= at.budget * wellFilled || at.limit - at.piece <= lookBack) return true
  if (!region) return false
  // The part that would move to the next page: a heading moves with its text.
  let last = lastAtMost(starts.length, (index) => starts[index] ?? 0, at.piece)
  while (kinds[last] === 'heading' && last + 1 < starts.length) last++
  return (starts[last + 1] ?? text.length) - at.piece <= at.budget
}

/** The last end of a piece up to `limit`, but not between a heading and its text. */
function lastPieceEnd({ starts, kinds }: Content, from: number, limit: number): number {
  let index = lastAtMost(starts.length, (at) => starts[at] ?? 0, limit)
  while (index > 0 && kinds[index - 1] === 'heading' && (starts[index - 1] ?? 0) > from) index--
  return starts[index] ?? 0
}

/** The region that contains `position`, excluding its ends. */
function regionOver(regions: readonly Region[], position: number): Region | undefined {
  const index = lastAtMost(regions.length, (at) => regions[at]?.start ?? 0, position - 1)
  const region = regions[index]
  return region && position < region.end ? region : undefined
}

/** Paragraph, line, sentence or word: the first of these that ends in the last 200 characters. */
function cutText({ text, regions }: Content, from: number, limit: number): number {
  const before = regions[lastAtMost(regions.length, (at) => regions[at]?.end ?? 0, limit)]
  const floor = Math.max(from, limit - lookBack, before?.end ?? 0)
  const window = text.slice(floor, limit)
  for (const boundary of boundaries) {
    const at = boundary(window)
    const end = at > 0 ? characterBoundary(text, outsideCode(text, floor, floor + at)) : 0
    if (end > floor) return end
  }
  return atLeastOne(text, from, limit)
}

/** Maximum length of a code span on a line. */
const maxSpan = 2000

/** The position, or the start of the code span around it if that is after `floor`. */
function outsideCode(text: string, floor: number, position: number): number {
  const nearest = Math.max(0, position - maxSpan)
  const paragraph = text.slice(nearest, position).lastIndexOf('\n\n')
  const from = paragraph < 0 ? nearest : nearest + paragraph + 2
  const part = text.slice(from, position + maxSpan)
  const runs = [...part.matchAll(/(?<!\\)`+/g)]
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at] as RegExpExecArray
    if (from + open.index >= position) break
    const close = runs.findIndex((run, index) => index > at && run[0].length === open[0].length)
    if (close < 0) continue
    const end = (runs[close] as RegExpExecArray).index + open[0].length
    if (from + end > position && !part.slice(open.index, end).includes('\n\n'))
      return from + open.index > floor ? from + open.index : position
    at = close
  }
  return position
}

/** Each returns the offset after its last boundary in the window, or 0. */
const boundaries: readonly ((window: string) => number)[] = [
  (window) => behindLast(window, '\n\n'),
  (window) => behindLast(window, '\n'),
  (window) => lastMatchEnd(window, /[.!?](?=\s)\s|[。！？]/g),
  (window) => lastMatchEnd(window, /\s/g),
]

function behindLast(window: string, mark: string): number {
  const at = window.lastIndexOf(mark)
  return at < 0 ? 0 : at + mark.length
}

function lastMatchEnd(window: string, pattern: RegExp): number {
  let end = 0
  for (const match of window.matchAll(pattern)) end = match.index + match[0].length
  return end
}

/** Cut between lines of code or rows of a table, and close the fence. */
function cutRegion(text: string, region: Region, from: number, limit: number): End {
  // An opening line longer than a page is cut like any text; nothing is closed then.
  if (region.body >= limit) {
    if (region.start > from) return { end: region.start, after: '' }
    return { end: atLeastOne(text, from, limit), after: '' }
  }
  const closing = region.closing.length * 4 <= limit - from ? region.closing : ''
  // At the last newline that leaves room for the closing fence, or else within a line.
  const line = text.lastIndexOf('\n', limit - closing.length - 1) + 1
  if (line > Math.max(from, region.body)) return { end: line, after: closing }
  if (region.start > from) return { end: region.start, after: '' }
  const after = closing === '' ? '' : `\n${closing}`
  return { end: atLeastOne(text, from, limit - after.length), after }
}

function atLeastOne(text: string, from: number, limit: number): number {
  const boundary = characterBoundary(text, limit)
  if (boundary > from) return boundary
  // Not even one character fits: it is kept whole, up to 64 code units.
  let end = from + 1
  while (end < text.length && end - from < 64 && characterBoundary(text, end) < end) end++
  return wholePair(text, end) > from ? wholePair(text, end) : end + 1
}
