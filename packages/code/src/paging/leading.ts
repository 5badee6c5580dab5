import { estimateTokens } from '@pith-mcp/paginator'
import type { SourceFile } from '../outline/source-file.ts'
import { linesBefore } from './cut-points.ts'
import type { Span } from './span.ts'

/** Comments and attributes directly above a span: not of it, but they say what it is. */
export interface Leading {
  /** Of the file, from 1. */
  startLine: number
  text: string
  /** Lines behind these were left out. */
  isCut?: true
}

const mostLines = 20

/** As many of their lines as have at most `tokens`; `undefined` if not one has. */
export function leadingOf(file: SourceFile, span: Span, tokens: number): Leading | undefined {
  const begin = linesBefore(file, span.start)
  if (begin >= span.start) return undefined
  const { lines } = file
  const first = lines.lineAt(begin)
  const count = lines.lineAt(Math.max(begin, span.start - 1)) - first + 1
  const kept = Array.from({ length: Math.min(count, mostLines) }, (_, at) => lines.text(first + at))
  while (kept.at(-1)?.trim() === '') kept.pop()
  const isCut = kept.length === mostLines && count > mostLines
  const shown = kept.length
  while (kept.length > 0 && estimateTokens(kept.join('\n')) > tokens) kept.pop()
  if (kept.length === 0) return undefined
  return {
    startLine: first,
    text: kept.join('\n'),
    ...((isCut || kept.length < shown) && { isCut: true }),
  }
}
