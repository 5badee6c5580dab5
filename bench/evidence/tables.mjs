/** The Markdown tables in what a benchmark prints: a head and rows of cells. */
export const readTables = (text) => (text.match(/(?:^\|.*\n?)+/gm) ?? []).map(readTable)

function readTable(block) {
  const [head, , ...rows] = block
    .trim()
    .split('\n')
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => grouped(cell.trim())),
    )
  return { head, rows }
}

/** Thousands are grouped, as in the texts. */
const grouped = (cell) => (/^\d{4,}$/.test(cell) ? Number(cell).toLocaleString('en-US') : cell)

/** A table as the formatter of this repository aligns it. */
export function tableText({ head, rows }) {
  const lines = [head, ...rows]
  const widths = head.map((_, at) => Math.max(3, ...lines.map((cells) => cells[at].length)))
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}
