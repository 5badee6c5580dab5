import type { Section } from '@pith-mcp/cleaner'
import { readGrid } from './read-grid.ts'

/** How long tables are shortened. */
export interface TableCut {
  /** A table with more rows gives only its first ones. */
  mostRows: number
  shownRows: number
  /** What is said below it instead of the others. */
  note: (rows: number, shown: number, section: { id: string; title: string }) => string
}

/** Sections whose tables have at most so many rows. */
export function cutTables(
  sections: readonly Section[],
  { mostRows, shownRows, note }: TableCut,
): Section[] {
  return sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block) => {
      const grid = block.kind === 'table' ? readGrid(block) : undefined
      if (!grid || grid.rows.length <= mostRows) return block
      const lines = block.markdown.split('\n').slice(0, 1 + (block.headRows ?? 1) + shownRows)
      const text = note(grid.rows.length, shownRows, section)
      return { ...block, markdown: `${lines.join('\n')}\n\n${text}` }
    }),
  }))
}
