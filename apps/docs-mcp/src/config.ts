import { parseArgs } from 'node:util'
import { z } from 'zod'

/** The words a command line may begin with; anything else is a source to serve. */
const verbs = ['search', 'find', 'toc', 'section', 'content'] as const
export type Verb = (typeof verbs)[number]

export interface Config {
  command: 'serve' | 'help' | 'version' | Verb
  /** Sources for `serve`; a location and words for a verb. */
  positionals: string[]
  json: boolean
  timeoutMs: number
  maxPages: number
  maxResults: number | undefined
  headings: boolean
  code: boolean
  maxLength: number | undefined
  startIndex: number | undefined
  page: string | undefined
}

/** The command line cannot be understood; `message` says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const number = z.coerce.number({ error: 'is not a number' })

const flags = z.object({
  help: z.boolean().default(false),
  version: z.boolean().default(false),
  json: z.boolean().default(false),
  headings: z.boolean().default(false),
  code: z.boolean().default(false),
  timeout: number.positive('has to be above 0').max(600, 'has to be at most 600').default(20),
  'max-pages': number.int('has to be whole').min(1, 'has to be at least 1').default(2_000),
  'max-results': number.optional(),
  'max-length': number.optional(),
  'start-index': number.optional(),
  page: z.string().optional(),
})

/** Read a command line, without the node and script in front. @throws {UsageError} */
export function parseConfig(argv: readonly string[]): Config {
  const { values, positionals } = readArguments(argv)
  const parsed = flags.safeParse(values)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const flag = String(issue?.path[0])
    const value = (values as Record<string, unknown>)[flag]
    throw new UsageError(`--${flag} ${String(value)}: ${issue?.message}.`)
  }
  const given = parsed.data
  const [first = '', ...rest] = positionals
  const verb = verbs.find((name) => name === first)
  return {
    command: given.help ? 'help' : given.version ? 'version' : (verb ?? 'serve'),
    positionals: verb ? rest : positionals,
    json: given.json,
    timeoutMs: given.timeout * 1000,
    maxPages: given['max-pages'],
    maxResults: given['max-results'],
    headings: given.headings,
    code: given.code,
    maxLength: given['max-length'],
    startIndex: given['start-index'],
    page: given.page,
  }
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        json: { type: 'boolean' },
        headings: { type: 'boolean' },
        code: { type: 'boolean' },
        timeout: { type: 'string' },
        'max-pages': { type: 'string' },
        'max-results': { type: 'string' },
        'max-length': { type: 'string' },
        'start-index': { type: 'string' },
        page: { type: 'string' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
