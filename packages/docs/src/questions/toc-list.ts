import { createContent } from '@pith-mcp/paginator'
import type { Source } from './excerpt.ts'

export interface TocEntry {
  id: string
  title: string
  /** 1–6 for headings; entries of definition lists are one below their heading. */
  level: number
  kind: 'heading' | 'entry'
  /** Id of the containing section. */
  parent?: string
  /** Estimated tokens of the section with all it contains, code blocks included. */
  tokens: number
  /** Of what it says itself. */
  ownTokens: number
  /** Code blocks and tables in the section with all it contains. */
  codeBlocks: number
  tables: number
  /** Since the section was last read; absent if it is as it was. */
  change?: 'changed' | 'new'
}

/** A table of contents should cost less than the section it leads to. */
export const tocLength = 5_000
const longestTitle = 60
/** A list folded to less than this says nothing; it goes on over several pages instead. */
const leastLines = 5

/**
 * The entries as a nested list of Markdown: title, `{id}` where the title alone is not enough,
 * what it costs, what changed. A list that is too long folds its lower levels: `+n` sections below. What is
 * still too long is paged.
 */
export function tocSource(resource: string, entries: readonly TocEntry[]): Source {
  const depths = depthsOf(entries)
  let deepest = depths.reduce((most, depth) => Math.max(most, depth), 0)
  let lines = linesOf(entries, depths, deepest)
  while (deepest > 0 && lengthOf(lines) > tocLength) {
    const fewer = linesOf(entries, depths, deepest - 1)
    if (fewer.length < leastLines) break
    lines = fewer
    deepest--
  }
  return {
    resource: `${resource} toc`,
    content: createContent(lines.map((text) => ({ kind: 'text', text }))),
    codeBlocksOmitted: 0,
  }
}

/** Nesting as the parents have it, not as the levels say: pages skip levels. */
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
  deepest: number,
): string[] {
  const titles = new Map<string, number>()
  for (const { title } of entries) titles.set(title, (titles.get(title) ?? 0) + 1)
  return entries.flatMap((entry, index) => {
    const depth = depths[index] ?? 0
    if (depth > deepest) return []
    const { id, title } = entry
    const whole = title.length <= longestTitle
    const short = whole ? title : `${title.slice(0, longestTitle - 1)}…`
    const name = whole && titles.get(title) === 1 ? short : `${short} {${id}}`
    const below = depth === deepest ? countBelow(depths, index) : 0
    const marks = [costOf(entry), below > 0 ? `+${below}` : '', entry.change ?? '']
    return [`${'  '.repeat(depth)}- ${[name, ...marks].filter(Boolean).join(' ')}\n`]
  })
}

/** `~7100/60 c3 t1`: tokens with all below and of its own text, code blocks, tables. */
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
