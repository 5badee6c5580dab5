import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { modes } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { levels, logFormats } from './log/logger.ts'
import { UsageError } from './usage-error.ts'

const settings = z.object({
  config: z.array(z.string()).min(1),
  mode: z.enum(modes, { error: `must be one of ${modes.join(', ')}` }),
  profile: z.string().min(1, 'must be the name of a profile').optional(),
  prefix: z.boolean(),
  state: z.union([z.string().min(1), z.literal(false)], { error: 'must be a folder' }),
  http: z.string().optional(),
  token: z.string().min(8, 'must have at least 8 characters').optional(),
  httpHosts: z.array(z.string()),
  maxResultCharacters: z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(2_500, 'must be at least 2500')
    .max(80_000, 'must be at most 80000')
    .optional(),
  stderr: z.boolean(),
  logFormat: z.enum(logFormats, { error: `must be one of ${logFormats.join(', ')}` }),
  logLevel: z.enum(levels, { error: `must be one of ${levels.join(', ')}` }),
})

export type Settings = z.output<typeof settings>

export type Environment = Readonly<Record<string, string | undefined>>

export type Options = NonNullable<ParseArgsConfig['options']>

export interface Config {
  settings: Settings
  helpRequested: boolean
  versionRequested: boolean
  /** The positional arguments, in order. */
  words: string[]
  /** The parsed options, including those of the command. */
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
  'max-result-characters': { type: 'string' },
  stderr: { type: 'boolean' },
  'log-format': { type: 'string' },
  'log-level': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies Options

/**
 * Parse a command line. `argv` starts after node, the script and the command.
 * @throws {UsageError}
 */
export function parseConfig(
  argv: readonly string[],
  environment: Environment = process.env,
  commandOptions?: Options,
): Config {
  const { values, positionals } = readArguments(argv, commandOptions)
  // --help and --version work with a wrong environment too.
  const isInfoOnly = values.help === true || values.version === true
  const inEnvironment = isInfoOnly ? {} : environment
  const parsed = settings.safeParse({
    config: values.config ?? [inEnvironment['AGGREGATOR_MCP_CONFIG'] ?? defaultConfig(environment)],
    mode: values.mode ?? inEnvironment['AGGREGATOR_MCP_MODE'] ?? 'meta',
    profile: values.profile ?? inEnvironment['AGGREGATOR_MCP_PROFILE'],
    prefix: !values['no-prefix'],
    state: values['no-state'] ? false : (values.state ?? stateFolder(environment)),
    http: values.http,
    token: inEnvironment['AGGREGATOR_MCP_TOKEN'],
    httpHosts: values['http-host'] ?? [],
    maxResultCharacters: values['max-result-characters'],
    stderr: values.stderr ?? false,
    logFormat: values['log-format'] ?? inEnvironment['AGGREGATOR_MCP_LOG_FORMAT'] ?? 'text',
    logLevel: values['log-level'] ?? inEnvironment['AGGREGATOR_MCP_LOG_LEVEL'] ?? 'info',
  })
  if (!parsed.success) throw new UsageError(describe(parsed.error, values, environment))
  return {
    settings: parsed.data,
    helpRequested: values.help === true,
    versionRequested: values.version === true,
    words: positionals,
    values,
  }
}

/** Environment variables by setting. */
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
  const value = (values as Record<string, unknown>)[flag]
  const variable = variables[name]
  if (value !== undefined || variable === undefined)
    return `--${flag} ${issue?.message}, got ${JSON.stringify(value)}.`
  // The token is a secret.
  const got = name === 'token' ? '' : `, got ${JSON.stringify(environment[variable])}`
  return `${variable} ${issue?.message}${got}.`
}

const flagOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function readArguments(argv: readonly string[], commandOptions: Options | undefined) {
  try {
    return parseArgs({
      args: [...argv],
      options: { ...commandOptions, ...ownOptions },
      // A mistyped command must not start a server.
      allowPositionals: commandOptions !== undefined,
    })
  } catch (error) {
    // Drop Node's advice about arguments that begin with a dash.
    throw new UsageError(
      String((error as Error).message).replace(/\. To specify [\s\S]*|\n[\s\S]*/, '.'),
    )
  }
}

/**
 * The default configuration file. It is not in the current folder: the owner of that folder would
 * decide which programs are started.
 */
const defaultConfig = (environment: Environment): string =>
  join(environment['XDG_CONFIG_HOME'] || join(home(), '.config'), 'pith', 'aggregator.json')

/** An empty home would make the paths relative to the current folder. */
const home = (): string => homedir() || userInfo().homedir

/** The default state folder. It holds data that cannot be rebuilt: pins, the journal, tokens. */
function stateFolder(environment: Environment): string {
  const state = environment['XDG_STATE_HOME'] || join(home(), '.local', 'state')
  return join(state, 'pith', 'aggregator-mcp')
}
