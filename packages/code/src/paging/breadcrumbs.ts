import { estimateTokens } from '@pith-mcp/paginator'
import type { SourceFile } from '../outline/source-file.ts'
import { unitsAround } from './cut-points.ts'
import type { Span } from './span.ts'

/** A line of the file that is repeated from an earlier page. */
export interface Breadcrumb {
  /** Of the file, from 1. */
  line: number
  text: string
  /** Lines between this one and the next were left out. */
  isCut?: true
}

const mostSignatureLines = 10
const mostScopes = 8
const longestLine = 160
/** Share of a page that may be repeated. */
export const mostRepeated = 0.2

/**
 * What a page that begins at `position` has above it: the signature, and the first lines of the
 * statements and blocks that are open there. At most `tokens` of them: the scopes in the middle are
 * left out first, then the signature but for its first line.
 */
export function breadcrumbs(
  file: SourceFile,
  span: Span,
  position: number,
  tokens: number,
): Breadcrumb[] {
  if (position <= span.start) return []
  const signature = signatureLines(file, span, position)
  const last = signature.at(-1) ?? 0
  const scopes = scopeLines(file, span, position).filter((line) => line > last)
  const first = file.lines.lineAt(span.start)
  const tries = [
    [...signature, ...shortened(scopes, mostScopes)],
    [first, ...shortened(scopes, mostScopes)],
    [first, ...shortened(scopes, 3)],
    [first],
  ]
  for (const lines of tries) {
    const crumbs = lines.map((line) => crumbOf(file, line))
    if (crumbs.reduce((sum, { text }) => sum + estimateTokens(text) + 3, 0) <= tokens)
      return withCuts(crumbs, file.lines.lineAt(position))
  }
  return []
}

function signatureLines({ lines }: SourceFile, span: Span, position: number): number[] {
  const first = lines.lineAt(span.start)
  const last = Math.min(lines.lineAt(Math.max(span.start, span.body)), lines.lineAt(position) - 1)
  const count = Math.min(Math.max(1, last - first + 1), mostSignatureLines)
  return Array.from({ length: count }, (_, index) => first + index)
}

function scopeLines(file: SourceFile, span: Span, position: number): number[] {
  const { lines, text } = file
  const here = lines.lineAt(position)
  const all = unitsAround(file, span, position).flatMap(({ start, block }) => {
    if (block === undefined) return [lines.lineAt(start)]
    // The block may open a line below what it belongs to; an `else` opens another.
    let before = block - 1
    while (before > start && /\s/.test(text[before] as string)) before--
    return [lines.lineAt(start), lines.lineAt(before)]
  })
  return [...new Set(all)].filter((line) => line < here).sort((one, other) => one - other)
}

/** The outer ones and the inner ones. */
function shortened(lines: readonly number[], most: number): readonly number[] {
  if (lines.length <= most) return lines
  const outer = Math.floor(most / 3)
  return [...lines.slice(0, outer), ...lines.slice(outer - most)]
}

function crumbOf({ lines }: SourceFile, line: number): Breadcrumb {
  const text = lines.text(line)
  return { line, text: text.length > longestLine ? `${text.slice(0, longestLine)} …` : text }
}

const withCuts = (crumbs: readonly Breadcrumb[], here: number): Breadcrumb[] =>
  crumbs.map((crumb, index) =>
    (crumbs[index + 1]?.line ?? here) > crumb.line + 1 ? { ...crumb, isCut: true } : crumb,
  )
