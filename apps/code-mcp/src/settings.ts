import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { parse, resolve } from 'node:path'
import { z } from 'zod'

/** The command line or the environment cannot be understood; `message` says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const number = z.coerce.number({ error: 'is not a number' })
const truth = z.preprocess(
  (value) => (typeof value === 'string' ? !/^(?:|0|false|no|off)$/i.test(value) : value),
  z.boolean(),
)

/** What a server can be told, by flags and by the environment. */
const schema = z.strictObject({
  pageSize: z
    .string()
    .regex(
      /^\s*[\d_,]*\.?\d+ ?(?:tokens?|lines?|bytes?|b|ki?b)?\s*$/i,
      'is no size: pass tokens, "300 lines" or "10 KB"',
    )
    .default('4000'),
  pageOver: z.string().optional(),
  locale: z.enum(['en', 'ja'], { error: 'is none of en, ja' }).default('en'),
  maxParseMb: number.positive('has to be above 0').max(32, 'has to be at most 32').default(16),
  parseTimeout: number.positive('has to be above 0').max(600, 'has to be at most 600').default(20),
  searchWait: number.positive('has to be above 0').max(600, 'has to be at most 600').default(20),
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

/** Each setting from the first that has it: flags, the environment. @throws {UsageError} */
export function readSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Environment,
): Settings {
  const given: Record<string, unknown> = {}
  for (const [variable, name] of Object.entries(variables)) {
    const value = environment[variable]
    if (value !== undefined && value !== '') given[name] = value
  }
  for (const [name, value] of Object.entries(flags)) if (value !== undefined) given[name] = value
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0])
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const variable = Object.entries(variables).find(([, setting]) => setting === name)?.[0]
  throw new UsageError(
    `${flags[name] === undefined ? variable : `--${kebab}`} ${String(given[name])}: ${issue?.message}.`,
  )
}

/** Folders that are served: those that were named, else the one it was started in. */
export function readRoots(named: readonly string[], environment: Environment): string[] {
  const listed = environment['CODE_MCP_ROOTS']?.split(/\s*[,\n]\s*/).filter(Boolean) ?? []
  const roots = named.length > 0 ? named : listed
  if (roots.length > 0) return roots.map((root) => resolve(root))
  const here = process.cwd()
  // Some clients start their servers there, and nobody means to have all of it read.
  if (here === parse(here).root || here === realHome())
    throw new UsageError(`name the folder to read: ${here} is not taken unless it is named.`)
  return [here]
}

/** The same, if all of them are there. @throws {UsageError} */
export function existingRoots(named: readonly string[], environment: Environment): string[] {
  const roots = readRoots(named, environment)
  for (const root of roots)
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`there is no folder ${JSON.stringify(root)}.`)
  return roots
}

/** It may be named by a link. */
function realHome(): string {
  try {
    return realpathSync(homedir())
  } catch {
    return resolve(homedir())
  }
}

/** `500 lines, 10 KB`: up to so much, a function is given whole. @throws {UsageError} */
export function readThresholds(
  text: string | undefined,
): { lines?: number; bytes?: number } | undefined {
  if (text === undefined || text.trim() === '' || text.trim() === '0') return undefined
  const limits: { lines?: number; bytes?: number } = {}
  for (const part of text.split(',')) {
    const [, digits, unit = ''] = /^\s*(\d+)\s*(lines?|kb|kib|bytes?|b)\s*$/i.exec(part) ?? []
    if (digits === undefined)
      throw new UsageError(`--page-over ${text}: is not as "500 lines, 10 KB".`)
    const amount = Number(digits)
    if (/^l/i.test(unit)) limits.lines = amount
    else limits.bytes = /^k/i.test(unit) ? amount * 1024 : amount
  }
  return limits
}
