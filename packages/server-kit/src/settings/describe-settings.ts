import type { Line, SettingsTable } from './define-settings.ts'

/** `--timeout <s>`, `--offline`, `--no-site-search`; undefined if it is not a flag. */
export function flagText({
  flag,
  type,
  value = 'text',
  default: preset,
}: Line): string | undefined {
  if (flag === false) return undefined
  if (type !== 'boolean') return `--${flag} <${value}>`
  return preset === true ? `--no-${flag}` : `--${flag}`
}

/** Lines for `--help`: the flags with a help text, and from `column` on what they do. */
export function usageLines({ lines }: SettingsTable, column: number): string {
  const described = lines.flatMap((line) => {
    const flag = flagText(line)
    const preset = typeof line.default === 'number' ? ` (default ${line.default})` : ''
    return flag === undefined || line.help === ''
      ? []
      : [`  ${flag}`.padEnd(column) + line.help + preset]
  })
  return described.join('\n')
}

/** The flags of a command line with which a client is to start the server. */
export const flagsToAdd = (
  { lines }: SettingsTable,
  values: Readonly<Record<string, unknown>>,
): string[] =>
  lines.flatMap(({ flag, isLocal }) => {
    if (flag === false || isLocal) return []
    if (values[`no-${flag}`] === true) return [`--no-${flag}`]
    const given = [values[flag] ?? []].flat()
    return given.flatMap((value) => (value === true ? `--${flag}` : [`--${flag}`, String(value)]))
  })
