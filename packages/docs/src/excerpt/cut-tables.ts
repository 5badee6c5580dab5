import type { Section } from '@pith-mcp/cleaner'
import { readGrid } from './read-grid.ts'

/** How long tables are shortened. */
export interface TableCut {
  /** A table with more rows is cut to `shownRows`. */
  maxRows: number
  shownRows: number
  /** The text below a shortened table. */
  note: (rows: number, shown: number, section: { id: string; title: string }) => string
}

/** Sections with their long tables shortened. */
export function cutTables(
  sections: readonly Section[],
  { maxRows, shownRows, note }: TableCut,
): Section[] {
  return sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block) => {
      const grid = block.kind === 'table' ? readGrid(block) : undefined
      if (!grid || grid.rows.length <= maxRows) return block
      const lines = block.markdown.split('\n').slice(0, 1 + (block.headRows ?? 1) + shownRows)
      const text = note(grid.rows.length, shownRows, section)
      return { ...block, markdown: `${lines.join('\n')}\n\n${text}` }
    }),
  }))
}
