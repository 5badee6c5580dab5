import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { modes } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { UsageError } from './usage-error.ts'

const settings = z.object({
  config: z.array(z.string()).min(1),
  mode: z.enum(modes, { error: `is none of ${modes.join(', ')}` }),
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
})

export type Settings = z.output<typeof settings>

export interface Config {
  command: 'serve' | 'stats' | 'help' | 'version'
  settings: Settings
}

/** Where servers are written down when nobody says where. */
const defaultConfig = 'mcp.json'

type Environment = Readonly<Record<string, string | undefined>>

/** Read a command line, without the node and script in front. @throws {UsageError} */
export function parseConfig(
  argv: readonly string[],
  environment: Environment = process.env,
): Config {
  const values = readArguments(argv)
  const command = values.help
    ? 'help'
    : values.version
      ? 'version'
      : values.stats
        ? 'stats'
        : 'serve'
  const isTold = command === 'help' || command === 'version'
  const inEnvironment = isTold ? {} : environment
  const parsed = settings.safeParse({
    config: values.config ?? [inEnvironment['AGGREGATOR_MCP_CONFIG'] ?? defaultConfig],
    mode: values.mode ?? inEnvironment['AGGREGATOR_MCP_MODE'] ?? 'meta',
    prefix: !values['no-prefix'],
    state: values['no-state'] ? false : (values.state ?? stateFolder(environment)),
    http: values.http,
    token: inEnvironment['AGGREGATOR_MCP_TOKEN'],
    httpHosts: values['http-host'] ?? [],
    resultCharacters: values['result-characters'],
    stderr: values.stderr ?? false,
  })
  if (!parsed.success) throw new UsageError(describe(parsed.error, values, environment))
  return { command, settings: parsed.data }
}

/** Settings that the environment can give too. */
const variables: Record<string, string> = {
  config: 'AGGREGATOR_MCP_CONFIG',
  mode: 'AGGREGATOR_MCP_MODE',
  token: 'AGGREGATOR_MCP_TOKEN',
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

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        config: { type: 'string', short: 'c', multiple: true },
        mode: { type: 'string', short: 'm' },
        'no-prefix': { type: 'boolean' },
        state: { type: 'string' },
        'no-state': { type: 'boolean' },
        http: { type: 'string' },
        'http-host': { type: 'string', multiple: true },
        'result-characters': { type: 'string' },
        stats: { type: 'boolean' },
        stderr: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n', 1)[0] ?? '')
  }
}

/** What can be made again stands with the caches. */
function stateFolder(environment: Environment): string {
  const cache = environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  return join(cache, 'pith', 'aggregator-mcp')
}
