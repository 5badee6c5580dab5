import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { problemText, requirement } from '../describe-issue.ts'
import { isOff, type SettingsTable } from './define-settings.ts'
import type { SettingLines, SettingsOf } from './setting.ts'
import { UsageError } from './usage-error.ts'

type Values = Readonly<Record<string, unknown>>
/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The flags of tables, `--help`, `--version`, and other arguments. @throws {UsageError} */
export function readArguments(
  argv: readonly string[],
  tables: readonly SettingsTable[],
): { values: Values; positionals: string[] } {
  const options: NonNullable<Parameters<typeof parseArgs>[0]>['options'] = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  }
  for (const { flag, type, canBeOff, default: value } of tables.flatMap(({ lines }) => lines)) {
    if (flag === false) continue
    if (canBeOff || value === true) options[`no-${flag}`] = { type: 'boolean' }
    if (type === 'boolean' && value !== true) options[flag] = { type }
    if (type !== 'boolean') options[flag] = { type: 'string', multiple: type === 'list' }
  }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    // Node appends advice for arguments that begin with a dash.
    throw new UsageError(String((error as Error).message).replace(/\. To specify [\s\S]*/, '.'))
  }
}

/** The settings that flags of {@link readArguments} give, by name. */
export const settingsIn = ({ lines }: SettingsTable, values: Values): Values =>
  defined(lines.map(({ name, flag }) => [name, values[`no-${flag}`] ? false : values[`${flag}`]]))

/** Settings that flags alone give. @throws {UsageError} */
export const readOptions = <Table extends SettingLines>(
  table: SettingsTable<Table>,
  values: Values,
): SettingsOf<Table> => readSettings(table, { flags: settingsIn(table, values) })

/** Where settings come from. */
export interface SettingSources {
  flags?: Values
  environment?: Environment
  file?: { path: string; values: Values }
}

/** The settings, in this precedence: flags, environment, file. @throws {UsageError} */
export function readSettings<Table extends SettingLines>(
  table: SettingsTable<Table>,
  { flags = {}, environment = {}, file }: SettingSources,
): SettingsOf<Table> {
  const variables = defined(
    table.lines.map(({ name, variable, canBeOff }) => {
      const value = environment[`${variable}`] || undefined
      return [name, canBeOff && value !== undefined && isOff(value) ? false : value]
    }),
  )
  const values = { ...file?.values, ...variables, ...flags }
  const { success, data, error } = table.schema.safeParse(values)
  if (success) return data
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys')
    throw new UsageError(
      `There is no setting ${issue.keys.map((key) => JSON.stringify(key)).join(', ')} in ${file?.path ?? 'the settings'}.`,
    )
  const line = table.lines.find(({ name }) => name === issue?.path[0])
  const { name = '', flag, variable, secret } = line ?? {}
  const label = name in flags ? `--${flag}` : name in variables ? `${variable}` : name
  if (secret) throw new UsageError(`${label} ${requirement(issue)}.`)
  throw new UsageError(problemText(label, issue, wrongPart(values[name], issue)))
}

/** The member of a list that is wrong, or else the whole value. */
function wrongPart(value: unknown, issue: z.core.$ZodIssue | undefined): unknown {
  const index = issue?.path[1]
  return Array.isArray(value) && typeof index === 'number' ? value[index] : value
}

const defined = (entries: readonly (readonly [string, unknown])[]): Values =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined))
