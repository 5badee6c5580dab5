import { createContent } from '@pith-mcp/paginator'
import type { Source } from './excerpt.ts'

/** Characters of a list: a table of contents should cost less than the section it leads to. */
export const listLength = 5_000

/** One line of a nested list. */
export interface ListItem {
  depth: number
  text: string
  /** Follows the number of folded lines. */
  mark?: string | undefined
}

/**
 * A nested Markdown list, and how many of its lines are folded. Lower levels of a long list are
 * folded: `+n` lines below. A list with fewer than `minLines` is not folded further but paged.
 */
export function foldedList(
  resource: string,
  items: readonly ListItem[],
  minLines: number,
): { source: Source; folded: number } {
  let maxDepth = items.reduce((most, { depth }) => Math.max(most, depth), 0)
  let lines = linesOf(items, maxDepth)
  while (maxDepth > 0 && lengthOf(lines) > listLength) {
    maxDepth--
    const fewer = linesOf(items, maxDepth)
    if (fewer.length < minLines) break
    lines = fewer
  }
  const content = createContent(lines.map((text) => ({ kind: 'text', text })))
  return {
    source: { resource, content, codeBlocksOmitted: 0 },
    folded: items.length - lines.length,
  }
}

function linesOf(items: readonly ListItem[], maxDepth: number): string[] {
  return items.flatMap(({ depth, text, mark }, index) => {
    if (depth > maxDepth) return []
    let end = index + 1
    while ((items[end]?.depth ?? 0) > maxDepth) end++
    const below = end - index - 1
    const parts = [text, below > 0 ? `+${below}` : '', mark].filter(Boolean)
    return [`${'  '.repeat(depth)}- ${parts.join(' ')}\n`]
  })
}

const lengthOf = (lines: readonly string[]): number =>
  lines.reduce((total, line) => total + line.length, 0)
