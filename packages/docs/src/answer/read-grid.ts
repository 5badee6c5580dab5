/** A GFM table, in its parts. */
export interface Grid {
  /** Header and delimiter, as they stand. */
  head: string[]
  header: string[]
  rows: string[][]
  /** The names of the columns in which a row has anything. */
  headerOf: (row: readonly string[]) => string
}

/** The parts of a table as the cleaner writes it; undefined for other text. */
export function readGrid(markdown: string): Grid | undefined {
  const [first = '', second = '', ...rest] = markdown.split('\n')
  if (!/^\|(?:\s*:?-+:?\s*\|)+$/.test(second)) return undefined
  const header = cellsOf(first)
  const rows = filledDown(rest.filter((line) => line.startsWith('|')).map(cellsOf))
  return {
    head: [first, second],
    header,
    rows,
    headerOf: (row) => header.filter((_, at) => (row[at] ?? '') !== '').join(' '),
  }
}

/** A cell that spans rows is written once: the rows below it say again what they belong to. */
function filledDown(rows: string[][]): string[][] {
  let above: string[] = []
  return rows.map((row) => {
    const first = row.findIndex((cell) => cell.trim() !== '')
    const filled = first > 0 ? [...above.slice(0, first), ...row.slice(first)] : row
    above = filled
    return filled
  })
}

/** A bar that is escaped belongs to its cell. */
const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
