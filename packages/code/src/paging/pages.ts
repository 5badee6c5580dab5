import { estimateTokens } from '@pith-mcp/paginator'
import { LRUCache } from 'lru-cache'
import type { SourceFile } from '../outline/source-file.ts'
import { limitOf, type Measure, measureText } from '../text/measure.ts'
import { defaultPageTokens, type PageSize, type SizeUnit } from '../text/page-size.ts'
import { type Breadcrumb, breadcrumbs, mostRepeated } from './breadcrumbs.ts'
import { chooseCut } from './choose-cut.ts'
import { cutPoints } from './cut-points.ts'
import { type Leading, leadingOf } from './leading.ts'
import type { Span } from './span.ts'

/** One page of a span. Positions are UTF-16 offsets into the file. */
interface CodePage {
  start: number
  end: number
  /** What is repeated of what stands above it. */
  crumbs: readonly Breadcrumb[]
  /** What stands above the first one. */
  leading?: Leading
  /** Tokens there is room for to say what is in it; 0 but for the first of many pages. */
  partsRoom: number
}

export interface Pages {
  /** Where the pages of the size begin, from the begin of the span. Computed once. */
  starts(size: PageSize): readonly number[]
  /** The page that begins at an offset of the span, at which any page may have ended. */
  at(start: number, size: PageSize): CodePage
  /** A size that makes no more pages than are worth counting. */
  bounded(size: PageSize): PageSize
  /** Tokens of a part of the span, roughly. */
  tokens(start: number, end: number): number
}

/** Tokens of the lines above and below a page; the first one has the call for the next, too. */
const envelope = 75
const firstEnvelope = 120
/** More pages than this are listed by what is in them, in a part of the first. */
const fewPages = 10
const mostLeading = 0.2
/** Of a span: smaller pages are made larger. */
const mostPages = 4_000

/** The pages of a part of a file. Nothing is computed before it is asked for. */
export function createPages(file: SourceFile, span: Span): Pages {
  const text = file.text.slice(span.start, span.end)
  const cuts = once(() => cutPoints(file, span))
  const measures = new Map<SizeUnit, Measure>()
  const measure = (unit: SizeUnit): Measure => {
    const known = measures.get(unit) ?? measureText(text, unit)
    measures.set(unit, known)
    return known
  }
  const known = new LRUCache<string, readonly number[]>({ max: mostSizes })

  return {
    starts,
    at,
    bounded({ amount, unit }) {
      const least = Math.ceil(measure(unit).between(0, text.length) / mostPages)
      return { amount: Math.max(amount, least), unit }
    },
    tokens: (start, end) => measure('tokens').between(start - span.start, end - span.start),
  }

  function at(start: number, size: PageSize): CodePage {
    const tokens = size.unit === 'tokens' ? size.amount : defaultPageTokens
    const isFirst = start === span.start
    const crumbs = breadcrumbs(file, span, start, tokens * mostRepeated)
    const leading = isFirst ? leadingOf(file, span, tokens * mostLeading) : undefined
    const partsRoom = isFirst && isOfMany(size) ? roomForParts(tokens) : 0
    const repeated =
      crumbs.reduce((sum, { text: line }) => sum + estimateTokens(line) + 3, 0) +
      (leading ? estimateTokens(leading.text) * 1.3 : 0)
    const around = repeated + partsRoom + (isFirst ? firstEnvelope : envelope)
    const rest = { crumbs, ...(leading && { leading }), partsRoom }
    const from = start - span.start
    const limit = limitOf(size, measure, from, Math.min(around, tokens / 2)) + span.start
    if (limit >= span.end) return { start, end: span.end, ...rest }
    // A line that is longer than the page: as many characters as it has room for.
    const least = start + Math.ceil(tokens * charactersPerToken)
    const end = chooseCut(file, cuts(), start, limit > start ? limit : Math.min(least, span.end))
    return { start, end: Math.min(end, span.end), ...rest }
  }

  function isOfMany({ amount, unit }: PageSize): boolean {
    return measure(unit).between(0, text.length) > fewPages * amount
  }

  function starts(size: PageSize): readonly number[] {
    const key = `${size.amount} ${size.unit}`
    const found = known.get(key)
    if (found) return found
    const all: number[] = []
    for (let start = span.start; start < span.end; start = at(start, size).end) all.push(start)
    if (all.length === 0) all.push(span.start)
    known.set(key, all)
    return all
  }
}

const roomForParts = (tokens: number): number =>
  Math.floor(Math.max(tokens * 0.12, Math.min(120, tokens * 0.3)))

/** Page sizes that the begins of pages are kept for. */
const mostSizes = 4

/** Of text that is as dense as text gets. */
const charactersPerToken = 1

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
