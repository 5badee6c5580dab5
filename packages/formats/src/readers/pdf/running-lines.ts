import type { TextLine } from './text-lines.ts'

/** Pages that have a text at the same place, if they are a part of the document only. */
const minPages = 3

const pageNumber = /^[\W_]*(?:page\s+)?(?:\d{1,5}|[ivx]{1,7})(?:\s+(?:of|\/)\s+\d{1,5})?[\W_]*$/i

/** The pages without headers, footers and their numbers, and how many lines these were. */
export function withoutRunning(pages: readonly TextLine[][]): {
  pages: TextLine[][]
  removed: number
} {
  const places = new Map<string, Map<string, number>>()
  const placeOf = ({ y, size }: TextLine) => `${Math.round(y)} ${size}`
  for (const lines of pages)
    for (const line of edgesOf(lines)) {
      const texts = places.get(placeOf(line)) ?? new Map<string, number>()
      const text = line.text.trim().replace(/^\d+(?=\s|$)|(?<=\s)\d+$/g, '0')
      texts.set(text, (texts.get(text) ?? 0) + 1)
      places.set(placeOf(line), texts)
    }
  const running = new Set(
    [...places].flatMap(([place, texts]) =>
      Math.max(...texts.values()) >= Math.min(minPages, Math.max(2, pages.length / 2))
        ? [place]
        : [],
    ),
  )
  let removed = 0
  const inner = pages.map((lines) => {
    const edges = edgesOf(lines)
    return lines.filter((line) => {
      const isRunning = edges.has(line) && (running.has(placeOf(line)) || isNumber(line, lines))
      if (isRunning) removed++
      return !isRunning
    })
  })
  return { pages: inner, removed }
}

/** A number alone that is the first or the last line. */
const isNumber = (line: TextLine, lines: readonly TextLine[]): boolean =>
  pageNumber.test(line.text.trim()) &&
  (lines.every(({ y }) => y <= line.y) || lines.every(({ y }) => y >= line.y))

/** The first and the last lines, with a second one that belongs to them. */
function edgesOf(lines: readonly TextLine[]): Set<TextLine> {
  const sorted = [...lines].sort((a, b) => b.y - a.y)
  const isNear = (line?: TextLine, next?: TextLine) =>
    line && next && Math.abs(line.y - next.y) < 2 * line.size
  const [first, second] = sorted
  const [beforeLast, last] = [sorted.at(-2), sorted.at(-1)]
  const edges = [
    first,
    isNear(first, second) && second,
    isNear(last, beforeLast) && beforeLast,
    last,
  ]
  return new Set(edges.flatMap((line) => line || []))
}
