import { closeSync, openSync, readSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { problemText, requirement } from '../describe-issue.ts'
import type { Line, SettingsTable } from './define-settings.ts'
import { isOff } from './types.ts'

/** An invalid command line, environment or settings file; `message` states why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Values by the names of settings. */
type Values = Readonly<Record<string, unknown>>
/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The flags of tables, `--help`, `--version` and the options of `more`, which may replace these two;
 * and other arguments.
 * @throws {UsageError}
 */
export function readArguments(
  argv: readonly string[],
  tables: readonly SettingsTable[],
  more: Pick<ParseArgsConfig, 'options' | 'allowPositionals'> = {},
): { values: Values; positionals: string[] } {
  const options: ParseArgsConfig['options'] = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
    ...more.options,
  }
  const lines = tables.flatMap((table) => table.lines)
  for (const { flag, short, preset, canBeOff } of lines) {
    if (flag === false) continue
    if (canBeOff) options[`no-${flag}`] = { type: 'boolean' }
    const type = preset === false ? 'boolean' : 'string'
    const multiple = Array.isArray(preset)
    if (preset !== true) options[flag] = { type, multiple, ...(short && { short }) }
  }
  try {
    const args = [...argv]
    const { values, positionals } = parseArgs({ allowPositionals: true, ...more, args, options })
    for (const { name, flag } of lines)
      values[name] = values[`no-${flag}`] ? false : values[`${flag}`]
    return { values, positionals }
  } catch (error) {
    // Node appends advice for arguments that begin with a dash.
    throw new UsageError(String((error as Error).message).replace(/\. To specify [\s\S]*/, '.'))
  }
}

/** The settings, in this precedence: flags, environment, file. @throws {UsageError} */
export function readSettings<Settings>(
  { lines, schema }: SettingsTable<Settings>,
  sources: { flags?: Values; environment?: Environment; file?: { path: string; values: Values } },
): Settings {
  const { flags = {}, environment = {}, file } = sources
  const unset = lines.map(({ name }) => [name, undefined])
  const given: Record<string, unknown> = { ...Object.fromEntries(unset), ...file?.values }
  const labels: Record<string, string> = {}
  for (const line of lines) {
    const { name, flag, canBeOff } = line
    const variable = variableOf(line, environment)
    const text =
      variable === line.variable ? environment[`${variable}`] : readSecret(variable, environment)
    const inVariable = canBeOff && text !== undefined && isOff(text) ? false : text
    const value = flags[name] ?? inVariable
    if (value === undefined) continue
    given[name] = value
    labels[name] = flags[name] === undefined ? `${variable}` : `--${flag}`
  }
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys')
    throw new UsageError(
      `There is no setting ${issue.keys.map((key) => JSON.stringify(key)).join(', ')} in ${file?.path ?? 'the settings'}.`,
    )
  const name = String(issue?.path[0])
  const label = labels[name] ?? name
  if (lines.find((line) => line.name === name)?.secret)
    throw new UsageError(`${label} ${requirement(issue)}.`)
  const value = given[name]
  const wrong = Array.isArray(value) ? value[Number(issue?.path[1])] : value
  throw new UsageError(problemText(label, issue, wrong))
}

/** With it, the variable of a secret names a file: other processes can read an environment. */
const ofFile = '_FILE'

/** The variable of a setting, or that which names its file. @throws {UsageError} if both are set */
function variableOf({ variable, secret }: Line, environment: Environment): string | false {
  const named = `${variable}${ofFile}`
  if (!secret || environment[named] === undefined) return variable
  if (environment[`${variable}`] === undefined) return named
  throw new UsageError(`${variable} and ${named} are both set. Keep one of them.`)
}

/** The files that hold secrets of these settings. */
export const secretFiles = ({ lines }: SettingsTable, environment: Environment): string[] =>
  lines.flatMap(({ variable, secret }) => (secret && environment[`${variable}${ofFile}`]) || [])

const maxSecretBytes = 64 * 1024

/** Without the last line break. @throws {UsageError} */
function readSecret(variable: string | false, environment: Environment): string {
  const path = environment[`${variable}`] ?? ''
  const fail = (why: string): never => {
    throw new UsageError(`${variable}: the file ${JSON.stringify(path)} ${why}.`)
  }
  const bytes = Buffer.alloc(maxSecretBytes + 1)
  let length = 0
  try {
    const file = openSync(path, 'r')
    try {
      // A pipe returns what it has.
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSync(file, bytes, length, bytes.length - length, null)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return fail(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`)
  }
  if (length > maxSecretBytes) fail(`has more than ${maxSecretBytes} bytes`)
  const text = bytes.toString('utf8', 0, length).replace(/\r?\n$/, '')
  return text === '' ? fail('is empty') : text
}

/** Without empty variables, which clients set for fields that were left empty. */
export const nonEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, text]) => text !== ''))
