import { resolve } from 'node:path'
import { type Client, launchOf, type ServerNeeds } from '@pith-mcp/server-kit/clients'
import { isTable, type Table, valueAt } from '@pith-mcp/server-kit/files'
import type { HostEnvironment } from './host-environment.ts'

const aggregator =
  /(?:^|[/\\])@pith-mcp[/\\]aggregator-mcp(?:@[^/\\]*)?(?:$|[/\\])|(?:^|[/\\])aggregator-mcp(?:@[^/\\]*|\.\w+|[/\\]dist[/\\]main\.js)?$/

/** Whether an entry starts this program. */
export const isAggregator = (raw: unknown): boolean =>
  isTable(raw) && startOf(raw).some((text) => aggregator.test(text))

/** The command and arguments of an entry, by the names that clients have for them. */
const startOf = (raw: Table): string[] =>
  ['command', 'cmd', 'args'].flatMap((key) => textsIn(raw[key]))

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

/** The values of a flag of an entry of the aggregator. */
export function flagsIn(raw: Table, flag: string, short: string): string[] {
  const args = startOf(raw)
  return args.flatMap((arg, index) => {
    if (arg === flag || arg === short) return args[index + 1] ?? []
    return arg.startsWith(`${flag}=`) ? arg.slice(flag.length + 1) : []
  })
}

/** The configuration files that an entry of the aggregator names. */
export function configsOf(raw: Table, { cwd, configVariable }: HostEnvironment): string[] {
  const fromArgs = flagsIn(raw, '--config', '-c')
  const variable = valueAt(raw['env'] ?? raw['environment'], [configVariable])
  const all = fromArgs.length > 0 ? fromArgs : typeof variable === 'string' ? [variable] : []
  return all.map((path) => resolve(cwd, path))
}

/** What our entry in a client is made from. */
export interface OwnEntry {
  /** Its name, unless there is one already. */
  name: string
  /** The path of our file. */
  config: string
  needs: ServerNeeds
  host: HostEnvironment
}

/** Our entry in a client. Keeps what the user has added to an existing one. */
export function ownEntry(
  client: Client,
  { name, config, needs, host }: OwnEntry,
  existing: Table | undefined,
): Table {
  const start = existing ?? client.entry(launchOf(host), name)
  // Some clients store the command and its arguments in one list.
  const list = Array.isArray(start['command']) ? 'command' : 'args'
  const args = Array.isArray(start[list]) ? start[list] : []
  const isNamed = configsOf(start, host).includes(config)
  return {
    ...start,
    ...client.provide?.(needs, existing ?? {}),
    ...(!isNamed && { [list]: [...args, '--config', config] }),
  }
}
