import type { SourceFile } from '../outline/source-file.ts'
import { type Breadcrumb, breadcrumbs, mostRepeated } from './breadcrumbs.ts'
import { chooseCut } from './choose-cut.ts'
import { cutPoints } from './cut-points.ts'
import { limitOf, type Measure, measureText } from './measure.ts'
import { defaultPageTokens, type PageSize, type SizeUnit } from './page-size.ts'
import type { Span } from './span.ts'

/** One page of a span. Positions are UTF-16 offsets into the file. */
interface CodePage {
  start: number
  end: number
  /** What is repeated of what stands above it. */
  crumbs: readonly Breadcrumb[]
}

export interface Pages {
  /** Where the pages of the size begin, from the begin of the span. Computed once. */
  starts(size: PageSize): readonly number[]
  /** The page that begins at an offset of the span, at which any page may have ended. */
  at(start: number, size: PageSize): CodePage
  /** Tokens of a part of the span, roughly. */
  tokens(start: number, end: number): number
}

/** Tokens of the lines above and below a page. */
const envelope = 60

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
  const known = new Map<string, readonly number[]>()

  return {
    starts,
    at,
    tokens: (start, end) => measure('tokens').between(start - span.start, end - span.start),
  }

  function at(start: number, size: PageSize): CodePage {
    const tokens = size.unit === 'tokens' ? size.amount : defaultPageTokens
    const crumbs = breadcrumbs(file, span, start, tokens * mostRepeated)
    const repeated = crumbs.reduce((sum, crumb) => sum + crumb.text.length / 3 + 3, 0)
    const spent = Math.min(repeated + envelope, tokens / 2)
    const from = start - span.start
    const limit = limitOf(size, measure, from, spent) + span.start
    if (limit >= span.end) return { start, end: span.end, crumbs }
    // A line that is longer than the page: as many characters as it has room for.
    const least = start + Math.ceil(tokens * charactersPerToken)
    const end = chooseCut(file, cuts(), start, limit > start ? limit : Math.min(least, span.end))
    return { start, end: Math.min(end, span.end), crumbs }
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

/** Of text that is as dense as text gets. */
const charactersPerToken = 1

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
