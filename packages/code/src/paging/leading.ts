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
  const all = file.text.slice(begin, span.start).replace(/\s+$/, '').split('\n')
  const kept = all.slice(0, mostLines)
  while (kept.length > 0 && estimateTokens(kept.join('\n')) > tokens) kept.pop()
  if (kept.length === 0) return undefined
  return {
    startLine: file.lines.lineAt(begin),
    text: kept.join('\n'),
    ...(kept.length < all.length && { isCut: true }),
  }
}
