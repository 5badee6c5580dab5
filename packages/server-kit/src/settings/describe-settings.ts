import type { Line, SettingsTable } from './define-settings.ts'

/** `--timeout <s>`, `--offline`, `--no-site-search`; undefined if it is not a flag. */
export function flagText({ flag, preset, value = '<text>' }: Line): string | undefined {
  if (flag === false) return undefined
  if (typeof preset === 'boolean') return preset ? `--no-${flag}` : `--${flag}`
  return `--${flag} ${value}`
}

/** Lines for `--help`: the flags with a help text, and from `column` on what they do. */
export function usageLines({ lines }: SettingsTable, column: number): string {
  const indent = lines.some(({ short }) => short !== undefined) ? '    ' : ''
  const described = lines.flatMap((line) => {
    const flag = flagText(line)
    if (flag === undefined || line.help === '') return []
    const prefix = line.short === undefined ? indent : `-${line.short}, `
    const preset = typeof line.preset === 'number' ? ` (default ${line.preset})` : ''
    const help = line.help.replaceAll('\n', `\n${' '.repeat(column)}`)
    const not = line.preset === true ? 'do not ' : ''
    return [`  ${prefix}${flag}  `.padEnd(column) + not + help + preset]
  })
  return described.join('\n')
}

/** The flags, by the names of settings, with which a client is to start the server. */
export const flagsToAdd = (
  { lines }: SettingsTable,
  values: Readonly<Record<string, unknown>>,
): string[] =>
  lines.flatMap(({ name, flag, isLocal }) => {
    if (flag === false || isLocal) return []
    if (values[name] === false) return [`--no-${flag}`]
    const given = [values[name] ?? []].flat()
    return given.flatMap((value) => (value === true ? `--${flag}` : [`--${flag}`, String(value)]))
  })
