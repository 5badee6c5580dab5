import type { z } from 'zod'

/**
 * One setting of a program. Its flag and variable are derived from its name: `maxCacheMb` is
 * `--max-cache-mb` and `<PREFIX>_MAX_CACHE_MB`.
 */
export interface Setting {
  /** A type, the names that the value is one of, or a schema for anything else. */
  type: 'string' | 'number' | 'boolean' | 'list' | readonly string[] | z.ZodType
  /** The names that the members of a list are one of. */
  of?: readonly string[]
  /** Without a default, a boolean is false, a list is empty, and others are undefined. */
  default?: unknown
  /** Bounds of a number; of a string, `min` is its least length. */
  min?: number
  above?: number
  max?: number
  integer?: true
  /** May be turned off: `--no-<flag>`, `false` in the file, `off` in the environment. */
  canBeOff?: true
  /** Name of the variable; `false`: none. */
  variable?: string | false
  /** Name of the flag, without dashes; `false`: none. */
  flag?: string | false
  /** What the usage calls the value: `s`, `folder`. */
  value?: string
  /** For the usage; `manual` is Markdown for the manual where it has to say more. */
  help: string
  manual?: string
  /** What applies without a value, for the manual. */
  unset?: string
  /** Errors do not quote the value. */
  secret?: true
  /** `add` does not write it into the configuration of a client. */
  isLocal?: true
}

/** The lines of a table by the names of the settings. */
export type SettingLines = Readonly<Record<string, Setting>>

/** The values that the lines of a table describe. */
export type SettingsOf<Lines extends SettingLines> = {
  [Name in keyof Lines]:
    | TypedValue<Lines[Name]>
    | (Lines[Name] extends { canBeOff: true } ? false : never)
    | (Lines[Name] extends { default: unknown } | { type: keyof Empty } ? never : undefined)
}

type TypedValue<Line extends Setting> = Line extends { of: readonly (infer Name)[] }
  ? Name[]
  : Line['type'] extends keyof Named
    ? Named[Line['type']]
    : Line['type'] extends readonly (infer Name)[]
      ? Name
      : z.output<Extract<Line['type'], z.ZodType>>

interface Empty {
  boolean: boolean
  list: string[]
}

interface Named extends Empty {
  string: string
  number: number
}
