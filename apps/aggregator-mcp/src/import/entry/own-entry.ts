import { resolve } from 'node:path'
import { type Client, isTable, type Needs, type Surroundings, type Table } from '../client.ts'

const packageName = '@pith-mcp/aggregator-mcp'

const aggregator =
  /(?:^|[/\\])@pith-mcp[/\\]aggregator-mcp(?:@[^/\\]*)?(?:$|[/\\])|(?:^|[/\\])aggregator-mcp(?:@[^/\\]*|\.\w+|[/\\]dist[/\\]main\.js)?$/

/** Whether an entry starts this very program. */
export const isAggregator = (raw: unknown): boolean =>
  isTable(raw) &&
  [...textsIn(raw['command']), ...textsIn(raw['args'])].some((text) => aggregator.test(text))

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

/** The configuration files an entry of the aggregator names. */
export function configsOf(raw: Table, { cwd }: Surroundings): string[] {
  const args = textsIn(raw['args'])
  const told = args.flatMap((arg, index) => {
    if (arg === '--config' || arg === '-c') return args[index + 1] ?? []
    return arg.startsWith('--config=') ? arg.slice('--config='.length) : []
  })
  const variable = isTable(raw['env']) ? raw['env']['AGGREGATOR_MCP_CONFIG'] : undefined
  const all = told.length > 0 ? told : typeof variable === 'string' ? [variable] : []
  return all.map((path) => resolve(cwd, path))
}

/** Our entry in a client; what its owner has written in it stays. */
export function ownEntry(
  client: Client,
  configFile: string,
  needs: Needs,
  around: Surroundings,
  existing: Table | undefined,
): Table {
  const start = existing ?? launch(around)
  const args = Array.isArray(start['args']) ? start['args'] : []
  const isNamed = configsOf(start, around).includes(configFile)
  return {
    ...start,
    ...client.own?.(needs, existing ?? {}),
    ...(!isNamed && { args: [...args, '--config', configFile] }),
  }
}

/** npx is a script on Windows, which some clients cannot start by itself. */
const launch = ({ platform }: Surroundings): Table =>
  platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', '-y', packageName] }
    : { command: 'npx', args: ['-y', packageName] }
