import { estimateTokens } from '@pith-mcp/paginator'
import type { SourceFile } from '../outline/source-file.ts'
import type { CodeSymbol } from '../outline/symbols.ts'
import type { Span } from '../paging/span.ts'
import { unitSize } from '../parse/parsed.ts'
import type { Chunk, Part } from './chunk.ts'

const mostParts = 40
/** Fewer are no help. */
const few = 4
const longestName = 80
/** Of the line above them, and of the numbers of each. */
const tokensOfHead = 60
const tokensOfLine = 6

/**
 * What to jump to in a chunk of many pages, in order: the largest symbols in it or, where it has
 * few, its long statements or, where it has few of those too, what its pages begin with. As many
 * as have at most `tokens`.
 */
export function partsOf(
  file: SourceFile,
  symbol: CodeSymbol | undefined,
  span: Span,
  starts: readonly number[],
  tokens: number,
): Pick<Chunk, 'parts' | 'moreParts'> {
  const kinds = [
    () => symbolsIn(file, symbol),
    () => statementsIn(file, span),
    () => pagesOf(file, span, starts),
  ]
  let all: Part[] = []
  for (const kind of kinds) if (all.length < few) all = kind()
  let room = tokens - tokensOfHead
  const largest = all
    .toSorted((one, other) => other.lines - one.lines)
    .slice(0, mostParts)
    .filter(({ name }) => {
      room -= estimateTokens(name) + tokensOfLine
      return room >= 0
    })
  const parts = largest.toSorted((one, other) => one.startLine - other.startLine)
  return { parts, ...(all.length > parts.length && { moreParts: all.length - parts.length }) }
}

/** Of many pages, every second or third. */
function pagesOf({ lines }: SourceFile, span: Span, starts: readonly number[]): Part[] {
  const step = Math.ceil(starts.length / mostParts)
  const chosen = starts.filter((_, at) => at % step === 0).map((start) => lines.lineAt(start))
  const first = lines.lineAt(span.start)
  const last = lines.lineAt(Math.max(span.start, span.end - 1))
  return chosen.map((line, at) => ({
    name: lines.text(line).trim().slice(0, longestName),
    startLine: line - first + 1,
    lines: (chosen[at + 1] ?? last + 1) - line,
  }))
}

function symbolsIn({ symbols, lines }: SourceFile, symbol: CodeSymbol | undefined): Part[] {
  const parent = symbol === undefined ? -1 : symbols.indexOf(symbol)
  const first = symbol === undefined ? 1 : lines.lineAt(symbol.start)
  return symbols
    .filter((inner) => inner.parent === parent)
    .map(({ path, start, end }) => {
      const line = lines.lineAt(start)
      const isBelow = symbol !== undefined && path.startsWith(`${symbol.bare}/`)
      return {
        name: isBelow ? path.slice(symbol.bare.length) : path,
        startLine: line - first + 1,
        lines: lines.lineAt(end - 1) - line + 1,
      }
    })
}

/** Statements that are a good part of a page to some pages long; the outer of those. */
function statementsIn({ parsed: { units }, lines }: SourceFile, span: Span): Part[] {
  const first = lines.lineAt(span.start)
  const total = lines.lineAt(Math.max(span.start, span.end - 1)) - first + 1
  const parts: Part[] = []
  let behind = span.start
  for (let at = 0; at < units.length; at += unitSize) {
    const start = units[at] as number
    const end = units[at + 1] as number
    if (start < behind || start <= span.start) continue
    if (start >= span.end) break
    const line = lines.lineAt(start)
    const count = lines.lineAt(Math.max(start, end - 1)) - line + 1
    if (count < total / 100 || count > total / 8) continue
    behind = end
    const name = lines.text(line).trim().slice(0, longestName)
    parts.push({ name, startLine: line - first + 1, lines: count })
  }
  return parts
}
