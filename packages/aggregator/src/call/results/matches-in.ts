/** Characters around a match in a long line. */
const aroundCharacters = 200
const aroundLines = 2
const maxLineLength = 1_000
const maxMatches = 500

/**
 * Finds a text in another and shows each match with its context; overlapping contexts are joined.
 * Ignores case. If the whole text does not occur, its words are searched separately. Undefined
 * without a match.
 */
export function matchesIn(text: string, query: string): string | undefined {
  const spans = spansOf(text, query)
  if (spans.length === 0) return undefined
  const windows = mergedWindows(text, spans.slice(0, maxMatches))
  const more = spans.length > maxMatches ? `, the first ${maxMatches} shown` : ''
  let line = 1
  let counted = 0
  const parts = windows.map(([from, to]) => {
    line += linesIn(text, counted, from)
    counted = from
    return `[line ${line}, character ${from}]\n${text.slice(from, to).trimEnd()}`
  })
  return `[${spans.length} ${spans.length === 1 ? 'match' : 'matches'}${more}]\n${parts.join('\n')}`
}

type Span = readonly [from: number, to: number]

function spansOf(text: string, query: string): Span[] {
  const hay = folded(text)
  const find = (needle: string): Span[] => {
    const spans: Span[] = []
    for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + needle.length))
      spans.push([at, at + needle.length])
    return spans
  }
  const needle = folded(query)
  const phraseSpans = find(needle)
  if (phraseSpans.length > 0) return phraseSpans
  const words = needle.split(/\s+/).filter((word) => word.length > 1)
  if (words.length < 2) return []
  return words.flatMap(find).sort(([a], [b]) => a - b)
}

/** Lower case of the same length, so that offsets stay valid. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return text.replace(/\p{Lu}/gu, (sign) => {
    const small = sign.toLowerCase()
    return small.length === sign.length ? small : sign
  })
}

function mergedWindows(text: string, spans: readonly Span[]): Span[] {
  const windows: [number, number][] = []
  for (const span of spans) {
    const [from, to] = windowAround(text, span)
    const last = windows.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else windows.push([from, to])
  }
  return windows
}

function windowAround(text: string, [from, to]: Span): [number, number] {
  let start = from
  let end = to
  for (let line = 0; line <= aroundLines; line++) start = text.lastIndexOf('\n', start - 1)
  for (let line = 0; line <= aroundLines && end >= 0; line++) end = text.indexOf('\n', end + 1)
  const lineStart = start < 0 ? 0 : start + 1
  const lineEnd = end < 0 ? text.length : end
  return [
    Math.max(
      from - (from - lineStart > maxLineLength ? aroundCharacters : maxLineLength),
      lineStart,
    ),
    Math.min(to + (lineEnd - to > maxLineLength ? aroundCharacters : maxLineLength), lineEnd),
  ]
}

/** Line ends between two places. */
function linesIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1))
    count++
  return count
}
