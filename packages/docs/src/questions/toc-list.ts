import { createContent } from '@pith-mcp/paginator'
import type { Source } from '../excerpt/excerpt.ts'

/** One section in a table of contents. */
export interface TocEntry {
  id: string
  title: string
  /** 1–6 for headings; entries of definition lists are one below their heading. */
  level: number
  kind: 'heading' | 'entry'
  /** Id of the containing section. */
  parent?: string
  /** Estimated tokens of the section with its subsections and code blocks. */
  tokens: number
  /** Estimated tokens of its own text. */
  ownTokens: number
  /** Code blocks and tables of the section with its subsections. */
  codeBlocks: number
  tables: number
  /** Change since the section was last read; absent if unchanged. */
  change?: 'changed' | 'new'
}

/** Characters of a list: a table of contents should cost less than the section it leads to. */
export const tocLength = 5_000
const maxTitleLength = 60
/** A list with fewer lines is not folded further but paged. */
const minLines = 5

/**
 * The entries as a nested Markdown list: title, `{id}` if the title is ambiguous, cost, change.
 * Lower levels of a long list are folded: `+n` subsections. A list that is still too long is paged.
 */
export function tocSource(resource: string, entries: readonly TocEntry[]): Source {
  const depths = depthsOf(entries)
  let maxDepth = depths.reduce((most, depth) => Math.max(most, depth), 0)
  let lines = linesOf(entries, depths, maxDepth)
  while (maxDepth > 0 && lengthOf(lines) > tocLength) {
    const fewer = linesOf(entries, depths, maxDepth - 1)
    if (fewer.length < minLines) break
    lines = fewer
    maxDepth--
  }
  return {
    resource: `${resource} toc`,
    content: createContent(lines.map((text) => ({ kind: 'text', text }))),
    codeBlocksOmitted: 0,
  }
}

/** Nesting follows parents, not levels, because pages skip levels. */
function depthsOf(entries: readonly TocEntry[]): number[] {
  const depth = new Map<string, number>()
  return entries.map((entry) => {
    const own = entry.parent === undefined ? 0 : (depth.get(entry.parent) ?? -1) + 1
    depth.set(entry.id, own)
    return own
  })
}

function linesOf(
  entries: readonly TocEntry[],
  depths: readonly number[],
  maxDepth: number,
): string[] {
  const titles = new Map<string, number>()
  for (const { title } of entries) titles.set(title, (titles.get(title) ?? 0) + 1)
  return entries.flatMap((entry, index) => {
    const depth = depths[index] ?? 0
    if (depth > maxDepth) return []
    const { id, title } = entry
    const whole = title.length <= maxTitleLength
    const short = whole ? title : `${title.slice(0, maxTitleLength - 1)}…`
    const name = whole && titles.get(title) === 1 ? short : `${short} {${id}}`
    const below = depth === maxDepth ? countBelow(depths, index) : 0
    const marks = [costOf(entry), below > 0 ? `+${below}` : '', entry.change ?? '']
    return [`${'  '.repeat(depth)}- ${[name, ...marks].filter(Boolean).join(' ')}\n`]
  })
}

/** `~7100/60 c3 t1`: tokens with subsections and of its own text, code blocks, tables. */
function costOf({ tokens, ownTokens, codeBlocks, tables }: TocEntry): string {
  const own = ownTokens < tokens * 0.9 ? `/${ownTokens}` : ''
  const code = codeBlocks > 0 ? ` c${codeBlocks}` : ''
  return `~${tokens}${own}${code}${tables > 0 ? ` t${tables}` : ''}`
}

function countBelow(depths: readonly number[], index: number): number {
  let end = index + 1
  while (end < depths.length && (depths[end] ?? 0) > (depths[index] ?? 0)) end++
  return end - index - 1
}

const lengthOf = (lines: readonly string[]): number =>
  lines.reduce((total, line) => total + line.length, 0)
