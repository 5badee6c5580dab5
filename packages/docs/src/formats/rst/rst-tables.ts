/** Further rows are not read. */
const maxRows = 5_000

export type Row = string[]

/** HTML of a table; the cells are HTML. */
export function tableHtml(rows: readonly Row[], headRows: number): string {
  const lines = rows.slice(0, maxRows).map((row, at) => {
    const tag = at < headRows ? 'th' : 'td'
    return `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  })
  const rest = rows.length - maxRows
  return `<table>${lines.join('\n')}</table>${rest > 0 ? `<p>[${rest} more rows, not read]</p>` : ''}`
}

export const simpleRule: RegExp = /^=+(?: +=+)+\s*$/
export const gridRule: RegExp = /^\+(?:[-=]+\+)+\s*$/

/** A table between rules such as `===  ===`. */
export function simpleTable(lines: readonly string[]): { rows: Row[]; headRows: number } {
  const starts = [...(lines[0] ?? '').matchAll(/=+/g)].map(({ index }) => index)
  const rows: Row[] = []
  let headRows = 0
  let isNew = true
  for (const line of lines.slice(1)) {
    if (simpleRule.test(line)) {
      if (headRows === 0) headRows = rows.length
      continue
    }
    const cells = starts.map((start, at) => line.slice(start, starts[at + 1]).trim())
    // A row without its first cell continues the one above.
    isNew = isNew || cells[0] !== ''
    if (cells.every((cell) => cell === '') || /^[-\s]+$/.test(line)) isNew = true
    else if (isNew) rows.push(cells)
    else append(rows.at(-1), cells)
    isNew = cells.every((cell) => cell === '')
  }
  return { rows, headRows: headRows === rows.length ? 0 : headRows }
}

/** A table that is drawn with `+---+`. */
export function gridTable(lines: readonly string[]): { rows: Row[]; headRows: number } {
  const borders = [...(lines[0] ?? '').matchAll(/\+/g)].map(({ index }) => index)
  const rows: Row[] = []
  let headRows = 0
  let isNew = true
  for (const line of lines.slice(1)) {
    if (/\+[-=]{2,}\+/.test(line)) {
      if (line.includes('+=')) headRows = rows.length
      isNew = true
      continue
    }
    const cells = borders.slice(0, -1).map(() => '')
    let cell = 0
    for (let at = 0; at < cells.length; at++) {
      // Without a border before it, a column belongs to the cell on its left.
      if (line[borders[at] ?? 0] === '|') cell = at
      cells[cell] += line.slice((borders[at] ?? 0) + (cell === at ? 1 : 0), borders[at + 1])
    }
    const texts = cells.map((text) => text.trim())
    if (isNew) rows.push(texts)
    else append(rows.at(-1), texts)
    isNew = false
  }
  return { rows, headRows }
}

function append(row: Row | undefined, cells: readonly string[]): void {
  for (const [at, cell] of cells.entries())
    if (row && cell !== '') row[at] = `${row[at] ?? ''}\n${cell}`.trim()
}

/** The fields of a line of comma-separated values. */
export function csvRow(line: string): Row {
  const fields = line.match(/\s*(?:"(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? []
  return fields
    .filter((field, at) => field !== '' || at < fields.length - 1)
    .map((field) => field.replace(/,$/, '').trim().replace(/^"|"$/g, '').replaceAll('""', '"'))
}
