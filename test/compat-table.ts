/** One line of docs/compat.md. */
export interface RowText {
  tool: string
  /** Or what else there is to say of the tool. */
  parameter: string
  /** What the original does. */
  theirs: string
  /** What is done here. */
  ours: string
}

/** As the formatter of this project lays a table out. */
export function tableOf(rows: readonly RowText[]): string {
  const code = (text: string) => (/^[a-z]+(?:[A-Z_][a-z]+)*$/.test(text) ? `\`${text}\`` : text)
  const lines = rows.map(({ tool, parameter, theirs, ours }) => [
    `\`${tool}\``,
    code(parameter),
    theirs,
    ours,
  ])
  const all = [['tool', 'parameter', 'original', 'here'], ...lines]
  const widths = [0, 1, 2, 3].map((at) => Math.max(...all.map((line) => line[at]?.length ?? 0)))
  const drawn = all.map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  )
  const [head = '', ...body] = drawn
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n')
}
