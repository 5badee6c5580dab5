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
      const grid = block.kind === 'table' ? readGrid(block.markdown) : undefined
      if (!grid || grid.rows.length <= mostRows) return block
      const rows = grid.rows.slice(0, shownRows).map((row) => `|${row.join('|')}|`)
      const text = note(grid.rows.length, shownRows, section)
      return { ...block, markdown: `${[...grid.head, ...rows].join('\n')}\n\n${text}` }
    }),
  }))
}
