import type { CodeSymbol } from '../outline/source-file.ts'
import { declared, type Occurrence } from './occurrences.ts'

/** A part of a file; parents precede what is in them. */
interface Span {
  start: number
  end: number
  parent: number
}

/** The innermost of some spans around a place. */
export function innermost<S extends Span>(spans: readonly S[], at: number): S | undefined {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] as S).start <= at) low = middle + 1
    else high = middle
  }
  for (let index = low - 1; index >= 0; index = (spans[index] as S).parent) {
    const span = spans[index] as S
    if (span.end > at) return span
  }
  return undefined
}

/** True for the occurrences of a name that mean a variable or a parameter of their function. */
export function shadowed(
  { text, symbols }: { text: string; symbols: readonly CodeSymbol[] },
  all: readonly Occurrence[],
  isPython: boolean,
): (occurrence: Occurrence) => boolean {
  const bare = all.filter(({ isMember, form }) => !isMember && form !== 'import')
  const ends = isPython
    ? functionsOf(text, symbols, bare)
    : blocksOf(
        text,
        bare.filter(({ isLocal }) => isLocal),
      )
  let end = 0
  const spans = ends.map((span) => {
    end = Math.max(end, span.end)
    return { start: span.start, end }
  })
  return ({ start, isMember }) => !isMember && isWithin(spans, start)
}

/** `end` is the furthest one of all spans so far. */
function isWithin(spans: readonly { start: number; end: number }[], at: number): boolean {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] as { start: number }).start <= at) low = middle + 1
    else high = middle
  }
  return (spans[low - 1]?.end ?? 0) > at
}

const functions: ReadonlySet<string> = new Set(['function', 'method', 'constructor'])

/** The functions of Python in which a name is that of a parameter, or is assigned. */
function functionsOf(text: string, symbols: readonly CodeSymbol[], all: readonly Occurrence[]) {
  const starts = new Map<CodeSymbol, number>()
  for (const { start, isLocal } of all) {
    const around = innermost(symbols, start)
    if (!around || !functions.has(around.kind)) continue
    const before = text.slice(Math.max(around.start, start - 2_000), start)
    if (/\bglobal\s+(?:\w+,\s*){0,9}$/.test(before.slice(-200))) starts.set(around, around.end)
    else if (!isLocal || starts.has(around)) continue
    else if (start < around.body) {
      if (/\bdef\s/.test(before)) starts.set(around, start)
    } else if (!/[(,]\s*\*{0,2}$/.test(before.slice(-40))) starts.set(around, around.body)
  }
  return [...starts].map(([{ end }, start]) => ({ start, end })).sort((a, b) => a.start - b.start)
}

/** The blocks of JavaScript in which a name is that of a variable, or of a parameter. */
function blocksOf(text: string, locals: readonly Occurrence[]) {
  const spans = locals.map(({ start }) => extentOf(text, start))
  const queue = [...spans].sort((a, b) => a.from - b.from)
  // Those that end where the depth of braces falls to a number.
  const open = new Map<number, Extent[]>()
  let depth = 0
  let next = 0
  for (let at = 0; at < text.length && (next < queue.length || open.size > 0); at++) {
    for (let span = queue[next]; span?.from === at; span = queue[++next]) {
      const level = depth - (span.below ?? 0)
      if (span.below === undefined) continue
      if (level < 0) span.end = span.start
      else if (!open.get(level)?.push(span)) open.set(level, [span])
    }
    const code = text.charCodeAt(at)
    if (code === 123) depth++
    else if (code === 125) {
      depth--
      for (const span of open.get(depth) ?? []) span.end = at
      open.delete(depth)
    }
  }
  return spans
}

interface Extent {
  start: number
  /** Behind the pattern that has the name. */
  from: number
  end: number
  /** It ends where the depth of braces is so much lower than at `from`, after a brace. */
  below?: number
}

/** The part of a file in which a local name is known. */
function extentOf(text: string, start: number): Extent {
  const before = text.slice(Math.max(0, start - 40), start)
  const after = text.slice(start, start + 500)
  const isDeclared = declared.test(before)
  const pattern = isDeclared
    ? /\b(?:const|let|var)\s+\{[^=;]*$/.test(before) && /^[^{}]*\}/.exec(after)
    : /^[^(){}]*\}(?=[^(){}]*\))/.exec(after)
  const behind = pattern ? after.slice(pattern[0].length) : after
  const from = start + after.length - behind.length
  const span = { start, from, end: text.length }
  if (/(?:^|\n)(?:export\s+)?(?:const|let|var)\s+(?:[{[][^=;]*)?$/.test(before))
    return { ...span, end: start }
  if (isDeclared && !/\(\s*(?:const|let|var)\b/.test(before)) return { ...span, below: 1 }
  if (/^[^{};]{0,300}?(?:=>|\))\s*(?::[^={;]{0,100})?\{/.test(behind)) return { ...span, below: 0 }
  const arrow = /=>\s*/.exec(behind)
  const body = from + (arrow ? arrow.index + arrow[0].length : 0)
  const line = text.slice(body, body + 1_000)
  return { ...span, end: body + (line.indexOf('\n') + 1 || line.length) }
}
