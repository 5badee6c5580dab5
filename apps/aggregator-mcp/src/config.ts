import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { modes } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { levels, logFormats } from './log/logger.ts'
import { UsageError } from './usage-error.ts'

const settings = z.object({
  config: z.array(z.string()).min(1),
  mode: z.enum(modes, { error: `is none of ${modes.join(', ')}` }),
  profile: z.string().min(1).optional(),
  prefix: z.boolean(),
  state: z.union([z.string().min(1), z.literal(false)]),
  http: z.string().optional(),
  token: z.string().min(8, 'has to have at least 8 characters').optional(),
  httpHosts: z.array(z.string()),
  resultCharacters: z.coerce
    .number({ error: 'is not a number' })
    .int('has to be whole')
    .min(2_500, 'has to be at least 2500')
    .max(80_000, 'has to be at most 80000')
    .optional(),
  stderr: z.boolean(),
  logFormat: z.enum(logFormats, { error: `is none of ${logFormats.join(', ')}` }),
  logLevel: z.enum(levels, { error: `is none of ${levels.join(', ')}` }),
})

export type Settings = z.output<typeof settings>

export type Environment = Readonly<Record<string, string | undefined>>

export type Options = NonNullable<ParseArgsConfig['options']>

export interface Config {
  settings: Settings
  isHelpWanted: boolean
  isVersionWanted: boolean
  /** What is no option, in order. */
  words: string[]
  /** Options of the command, as they were given. */
  values: Readonly<Record<string, unknown>>
}

const ownOptions = {
  config: { type: 'string', short: 'c', multiple: true },
  mode: { type: 'string', short: 'm' },
  profile: { type: 'string', short: 'p' },
  'no-prefix': { type: 'boolean' },
  state: { type: 'string' },
  'no-state': { type: 'boolean' },
  http: { type: 'string' },
  'http-host': { type: 'string', multiple: true },
  'result-characters': { type: 'string' },
  stderr: { type: 'boolean' },
  'log-format': { type: 'string' },
  'log-level': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies Options

/** Read a command line, without the node, the script and the command in front. @throws {UsageError} */
export function parseConfig(
  argv: readonly string[],
  environment: Environment = process.env,
  commandOptions?: Options,
): Config {
  const { values, positionals } = readArguments(argv, commandOptions)
  const isTold = values.help === true || values.version === true
  const inEnvironment = isTold ? {} : environment
  const parsed = settings.safeParse({
    config: values.config ?? [inEnvironment['AGGREGATOR_MCP_CONFIG'] ?? defaultConfig(environment)],
    mode: values.mode ?? inEnvironment['AGGREGATOR_MCP_MODE'] ?? 'meta',
    profile: values.profile ?? inEnvironment['AGGREGATOR_MCP_PROFILE'],
    prefix: !values['no-prefix'],
    state: values['no-state'] ? false : (values.state ?? stateFolder(environment)),
    http: values.http,
    token: inEnvironment['AGGREGATOR_MCP_TOKEN'],
    httpHosts: values['http-host'] ?? [],
    resultCharacters: values['result-characters'],
    stderr: values.stderr ?? false,
    logFormat: values['log-format'] ?? inEnvironment['AGGREGATOR_MCP_LOG_FORMAT'] ?? 'text',
    logLevel: values['log-level'] ?? inEnvironment['AGGREGATOR_MCP_LOG_LEVEL'] ?? 'info',
  })
  if (!parsed.success) throw new UsageError(describe(parsed.error, values, environment))
  return {
    settings: parsed.data,
    isHelpWanted: values.help === true,
    isVersionWanted: values.version === true,
    words: positionals,
    values,
  }
}

/** Settings that the environment can give too. */
const variables: Record<string, string> = {
  config: 'AGGREGATOR_MCP_CONFIG',
  mode: 'AGGREGATOR_MCP_MODE',
  profile: 'AGGREGATOR_MCP_PROFILE',
  token: 'AGGREGATOR_MCP_TOKEN',
  logFormat: 'AGGREGATOR_MCP_LOG_FORMAT',
  logLevel: 'AGGREGATOR_MCP_LOG_LEVEL',
}

function describe({ issues }: z.ZodError, values: object, environment: Environment): string {
  const [issue] = issues
  const name = String(issue?.path[0])
  const flag = flagOf(name)
  const given = (values as Record<string, unknown>)[flag]
  const variable = variables[name]
  if (given !== undefined || variable === undefined) return `--${flag} ${given}: ${issue?.message}.`
  const value = name === 'token' ? '' : ` ${environment[variable]}`
  return `${variable}${value}: ${issue?.message}.`
}

const flagOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function readArguments(argv: readonly string[], commandOptions: Options | undefined) {
  try {
    return parseArgs({
      args: [...argv],
      options: { ...commandOptions, ...ownOptions },
      // Serving takes none: a slip of a command must not be taken for it.
      allowPositionals: commandOptions !== undefined,
    })
  } catch (error) {
    // Node goes on with advice for words that begin with a dash.
    throw new UsageError(
      String((error as Error).message).replace(/\. To specify [\s\S]*|\n[\s\S]*/, '.'),
    )
  }
}

/**
 * Where servers are written down when nobody says where. Not the current folder: whoever owns that
 * would decide what is started.
 */
const defaultConfig = (environment: Environment): string =>
  join(environment['XDG_CONFIG_HOME'] || join(home(), '.config'), 'pith', 'aggregator.json')

/** Without it the current folder would be taken for it. */
const home = (): string => homedir() || userInfo().homedir

/** What cannot be made again stands with it: pins, the journal, tokens. */
function stateFolder(environment: Environment): string {
  const state = environment['XDG_STATE_HOME'] || join(home(), '.local', 'state')
  return join(state, 'pith', 'aggregator-mcp')
}
