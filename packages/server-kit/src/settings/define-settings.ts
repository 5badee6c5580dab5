import { z } from 'zod'

/**
 * One setting of a program. Its flag and variable are derived from its name: `maxCacheMb` is
 * `--max-cache-mb` and `<PREFIX>_MAX_CACHE_MB`.
 */
interface Setting {
  /**
   * Values and default. A default of false makes a flag without a value, a list a repeatable flag.
   * What may be `false` otherwise can be turned off: `--no-<flag>`, `off` in the environment.
   */
  type: z.ZodType
  /** Name of the flag, without dashes; `false`: none. */
  flag?: string | false
  short?: string
  /** Name of the variable; `false`: none. */
  variable?: string | false
  /** What the usage calls the value: `<s>`, `FILE`. */
  value?: string
  /**
   * For the usage, not listed if empty: what the setting does, and for what is on by default a verb,
   * since the usage lists `--no-<flag>` as "do not …". `manual` is Markdown where the manual has to
   * say more.
   */
  help: string
  manual?: string
  /** What applies without a value, for the manual. */
  unset?: string
  /** Errors do not quote the value. */
  secret?: true
  /** `add` does not write it into the configuration of a client. */
  isLocal?: true
}

/** A line for each setting, by its name. */
export type LinesOf<Values> = {
  [Name in keyof Values]: Setting & { type: z.ZodType<Values[Name]> }
}

/** A setting with what was derived; `preset` is its default. */
export interface Line extends Setting {
  name: string
  flag: string | false
  variable: string | false
  preset: unknown
  canBeOff: boolean
}

/** The settings of a program. */
export interface SettingsTable<Values = unknown> {
  lines: readonly Line[]
  /** Of all settings together; other keys are errors. */
  schema: z.ZodType<Values>
}

/** Settings: from flags, variables `<prefix>_…` and a file; without a prefix, from flags alone. */
export function defineSettings<Values>(
  table: LinesOf<Values>,
  prefix?: string,
): SettingsTable<Values> {
  const lines = Object.entries<Setting>(table).map(([name, setting]) => {
    const preset = setting.type.safeParse(undefined).data
    return {
      flag: words(name, '-').toLowerCase(),
      variable: prefix !== undefined && `${prefix}_${words(name, '_').toUpperCase()}`,
      ...setting,
      name,
      preset,
      canBeOff: preset !== false && setting.type.safeParse(false).data === false,
    }
  })
  const shape = Object.fromEntries(lines.map(({ name, type }) => [name, type]))
  return { lines, schema: z.strictObject(shape) as unknown as z.ZodType<Values> }
}

const words = (name: string, separator: string): string =>
  name.replace(/[A-Z]/g, (letter) => `${separator}${letter}`)
