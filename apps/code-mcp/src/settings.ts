import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { parse, resolve } from 'node:path'
import { z } from 'zod'
import { problemText } from './describe-issue.ts'

/** An invalid command line or environment; `message` states why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const number = z.coerce.number()
const truth = z.preprocess(
  (value) => (typeof value === 'string' ? !/^(?:|0|false|no|off)$/i.test(value) : value),
  z.boolean(),
)

/** The settings of flags and environment variables. */
const schema = z.strictObject({
  pageSize: z
    .string()
    .regex(
      /^\s*[\d_,]*\.?\d+ ?(?:tokens?|lines?|bytes?|b|ki?b)?\s*$/i,
      'must be a number of tokens, or written as "300 lines" or "10 KB"',
    )
    .default('4000'),
  pageOver: z.string().optional(),
  locale: z.enum(['en', 'ja']).default('en'),
  maxParseMb: number.positive().max(32).default(16),
  parseTimeout: number.positive().max(600).default(20),
  searchWait: number.positive().max(600).default(20),
  structuredContent: truth.default(false),
})

export type Settings = z.output<typeof schema>

type Environment = Readonly<Record<string, string | undefined>>

const variables: Readonly<Record<string, keyof Settings>> = {
  CODE_MCP_PAGE_SIZE: 'pageSize',
  CODE_MCP_PAGE_OVER: 'pageOver',
  CODE_MCP_LOCALE: 'locale',
  CODE_MCP_MAX_PARSE_MB: 'maxParseMb',
  CODE_MCP_PARSE_TIMEOUT: 'parseTimeout',
  CODE_MCP_SEARCH_WAIT: 'searchWait',
  CODE_MCP_STRUCTURED_CONTENT: 'structuredContent',
}

/** The settings, in this precedence: flags, environment. @throws {UsageError} */
export function readSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Environment,
): Settings {
  const values: Record<string, unknown> = {}
  for (const [variable, name] of Object.entries(variables)) {
    const value = environment[variable]
    if (value !== undefined && value !== '') values[name] = value
  }
  for (const [name, value] of Object.entries(flags)) if (value !== undefined) values[name] = value
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0])
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const variable = Object.entries(variables).find(([, setting]) => setting === name)?.[0]
  const setting = flags[name] === undefined ? (variable ?? name) : `--${kebab}`
  throw new UsageError(problemText(setting, issue, values[name]))
}

/** The folders to serve: the named ones, or else the current folder. */
export function readRoots(named: readonly string[], environment: Environment): string[] {
  const listed = environment['CODE_MCP_ROOTS']?.split(/\s*[,\n]\s*/).filter(Boolean) ?? []
  const roots = named.length > 0 ? named : listed
  if (roots.length > 0) return roots.map((root) => resolve(root))
  const here = process.cwd()
  // Some clients start servers in the root or home folder; reading all of it is never intended.
  if (here === parse(here).root || here === realHome())
    throw new UsageError(
      `Pass the folder to read. ${here} is served only if it is passed explicitly.`,
    )
  return [here]
}

/** The folders, if all of them exist. @throws {UsageError} */
export function existingRoots(named: readonly string[], environment: Environment): string[] {
  const roots = readRoots(named, environment)
  for (const root of roots)
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`There is no folder ${JSON.stringify(root)}.`)
  return roots
}

/** The home folder may be a link. */
function realHome(): string {
  try {
    return realpathSync(homedir())
  } catch {
    return resolve(homedir())
  }
}

/**
 * Parse `500 lines, 10 KB`, the size up to which a function is returned in one piece.
 *
 * @throws {UsageError}
 */
export function readThresholds(
  text: string | undefined,
): { lines?: number; bytes?: number } | undefined {
  if (text === undefined || text.trim() === '' || text.trim() === '0') return undefined
  const limits: { lines?: number; bytes?: number } = {}
  for (const part of text.split(',')) {
    const [, digits, unit = ''] = /^\s*(\d+)\s*(lines?|kb|kib|bytes?|b)\s*$/i.exec(part) ?? []
    if (digits === undefined)
      throw new UsageError(
        `--page-over must be written as "500 lines, 10 KB", got ${JSON.stringify(text)}.`,
      )
    const amount = Number(digits)
    if (/^l/i.test(unit)) limits.lines = amount
    else limits.bytes = /^k/i.test(unit) ? amount * 1024 : amount
  }
  return limits
}
