import { flagText, type Line, type SettingsTable } from '@pith-mcp/server-kit/settings'
import { z } from 'zod'

/** The settings of a program as a Markdown table; `file` is the name of its settings file. */
export function manualTable({ lines }: SettingsTable, file: string | undefined): string {
  const head = ['option', ...(file ? [`in ${file}`] : []), 'environment', 'default', 'meaning']
  const rows = lines.map((line) => {
    const { name, variable, help, manual = help, preset } = line
    const isOn = preset === true
    const { maximum: max = Infinity } = z.toJSONSchema(line.type, { unrepresentable: 'any' })
    return [
      flagsOf(line),
      ...(file ? [code(isOn ? `"${name}": false` : name)] : []),
      variable === false ? '' : code(isOn ? `${variable}=off` : variable),
      presetOf(line),
      manual + (max < Number.MAX_SAFE_INTEGER ? `; at most ${max}` : ''),
    ]
  })
  return markdownTable([head, ...rows])
}

const flagsOf = (line: Line): string =>
  [flagText(line), line.preset !== true && line.canBeOff && `--no-${line.flag}`]
    .flatMap((flag) => (flag ? [code(flag)] : []))
    .join(', ')

function presetOf({ preset, unset = 'none' }: Line): string {
  if (typeof preset === 'boolean') return preset ? 'on' : 'off'
  return typeof preset === 'number' || typeof preset === 'string' ? String(preset) : unset
}

const code = (text: string): string => `\`${text}\``

/** Aligned, as the formatter of the repository would write it. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')),
  )
  const widths = (cells[0] ?? []).map((_, at) =>
    Math.max(3, ...cells.map((row) => row[at]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = cells
  return [
    line(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map(line),
  ].join('\n')
}
