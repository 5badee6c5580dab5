import type { Block } from '@pith-mcp/cleaner'

/** A parsed GFM table. */
export interface Grid {
  /** Lines of the header and delimiter. */
  head: string[]
  header: string[]
  rows: string[][]
  /** The names of the columns in which a row has content. */
  headerOf: (row: readonly string[]) => string
}

/**
 * Parse a table as the cleaner writes it; undefined for other text. The text of a spanning cell is
 * copied to each cell it covers; several header rows are merged.
 */
export function readGrid(
  block: Pick<Block, 'markdown' | 'headRows' | 'covered'>,
): Grid | undefined {
  const [first = '', second = '', ...rest] = block.markdown.split('\n')
  if (!/^\|(?:\s*:?-+:?\s*\|)+$/.test(second)) return undefined
  const all = [first, ...rest.filter((line) => line.startsWith('|'))].map(cellsOf)
  for (const [row, column, fromRow, fromColumn] of block.covered ?? []) {
    const cells = all[row]
    if (!cells) continue
    while (cells.length <= column) cells.push('')
    cells[column] = all[fromRow]?.[fromColumn] ?? ''
  }
  const { headRows = 1 } = block
  const header = (all[0] ?? []).map((_, column) => {
    const names = all.slice(0, headRows).map((row) => (row[column] ?? '').trim())
    return [...new Set(names.filter(Boolean))].join(' - ')
  })
  return {
    head: headRows > 1 ? [`|${header.join('|')}|`, second] : [first, second],
    header,
    rows: all.slice(headRows),
    headerOf: (row) => header.filter((_, at) => (row[at] ?? '') !== '').join(' '),
  }
}

/** An escaped bar belongs to its cell. */
const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
