import { z } from 'zod'
import type { Setting, SettingLines, SettingsOf } from './setting.ts'

/** The settings of a program, one line each. */
export interface SettingsTable<Table extends SettingLines = SettingLines> {
  readonly lines: readonly Line[]
  /** Of all settings together; other keys are errors. */
  readonly schema: z.ZodType<SettingsOf<Table>>
}

/** A setting with the names that were derived. */
export interface Line extends Setting {
  name: string
  flag: string | false
  variable: string | false
}

/** Settings: from flags, variables `<prefix>_…` and a file; without a prefix, from flags alone. */
export function defineSettings<const Table extends SettingLines>(
  table: Table,
  prefix?: string,
): SettingsTable<Table> {
  const lines = Object.entries<Setting>(table).map(([name, setting]) => ({
    flag: words(name, '-').toLowerCase(),
    variable: prefix !== undefined && `${prefix}_${words(name, '_').toUpperCase()}`,
    ...setting,
    name,
  }))
  const shape = Object.fromEntries(lines.map((line) => [line.name, schemaOf(line)]))
  return { lines, schema: z.strictObject(shape) as unknown as z.ZodType<SettingsOf<Table>> }
}

const words = (name: string, separator: string): string =>
  name.replace(/[A-Z]/g, (letter) => `${separator}${letter}`)

function schemaOf(line: Setting): z.ZodType {
  const { type, canBeOff, default: value } = line
  const typed = typeof type === 'string' ? types[type](line) : 'parse' in type ? type : z.enum(type)
  const whole = canBeOff ? z.union([typed, z.literal(false)]) : typed
  const fallback = value ?? (type === 'boolean' ? false : type === 'list' ? [] : undefined)
  return fallback === undefined ? whole.optional() : whole.default(fallback)
}

const types: Readonly<Record<Extract<Setting['type'], string>, (line: Setting) => z.ZodType>> = {
  string: ({ min = 0 }) => z.string().min(min),
  number({ min, above, max, integer }) {
    let schema = z.coerce.number()
    if (integer) schema = schema.int()
    if (min !== undefined) schema = schema.min(min)
    if (above !== undefined) schema = schema.gt(above)
    return max === undefined ? schema : schema.max(max)
  },
  boolean: () =>
    z.preprocess((value) => (typeof value === 'string' ? !isOff(value) : value), z.boolean()),
  list: ({ of }) =>
    z.preprocess(
      (value) => (typeof value === 'string' ? membersIn(value) : value),
      z.array(of ? z.enum(of) : z.string()),
    ),
}

/** How a variable says no. */
export const isOff = (text: string): boolean => /^(?:|0|false|no|off)$/i.test(text)

/** JSON, or names separated by commas or lines, because a path may contain blanks. */
function membersIn(text: string): unknown {
  if (text.trim().startsWith('[')) return parseJson(text)
  const members = text.split(/[,\n]+/).map((name) => name.trim())
  return members.filter(Boolean)
}

/** The value of a JSON text; undefined if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
