import { AggregatorError, readConfig } from '@pith-mcp/aggregator'
import type { ServerNeeds } from '@pith-mcp/server-kit/clients'
import {
  editJsoncPath,
  FileRefused,
  isTable,
  objectAt,
  readJsonc,
  serversKeyOf,
  type Table,
} from '@pith-mcp/server-kit/files'

/** Our own configuration file. */
export interface OwnFile {
  /** The path that our entries use. */
  named: string
  /** The path with links resolved. */
  path: string
  before: string | undefined
}

const textOf = ({ before }: OwnFile): string => (before?.trim() ? before : '{}\n')

/** The servers of our own file. @throws {FileRefused} */
export async function serversOf(file: OwnFile): Promise<Table> {
  const { root, data } = readJsonc(textOf(file))
  const key = serversKeyOf(data)
  objectAt(root, [key])
  const servers = data[key] ?? {}
  if (!isTable(servers)) throw new FileRefused(`${key} must be an object.`)
  const fault = await faultOf(servers)
  if (fault !== undefined) throw new FileRefused(fault)
  return servers
}

/** The text of our own file with more servers. @throws {FileRefused} */
export async function withServers(file: OwnFile, more: Table): Promise<string> {
  const text = textOf(file)
  const key = serversKeyOf(readJsonc(text).data)
  const after = editJsoncPath(text, [key], { drop: new Set(), add: more })
  await serversOf({ ...file, before: after })
  return after
}

/** Why these servers are not a valid configuration, without secrets. Undefined if they are. */
export async function faultOf(servers: Table): Promise<string | undefined> {
  try {
    // Without variables: they are checked where the servers run.
    await readConfig(JSON.stringify({ mcpServers: servers }), {})
    return undefined
  } catch (error) {
    if (!(error instanceof AggregatorError)) throw error
    const { message } = error
    return /: "/.test(message) ? 'The entry is not valid in our configuration.' : message
  }
}

const reference = /(?<!\$)\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g

/** Variables that every process has. */
const common = new Set(['HOME', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'TMPDIR'])

/** What an entry for our own file must provide. */
export function needsOf(text: string | undefined, servers: Table): ServerNeeds {
  const data = text?.trim() ? readJsonc(text).data : {}
  const serialised = JSON.stringify([data, servers])
  const names = [...serialised.matchAll(reference)].map(([, name = '']) => name)
  const entries = [
    ...Object.values(servers),
    ...Object.values((data[serversKeyOf(data)] ?? {}) as Table),
  ]
  const times = entries.map((entry) => (isTable(entry) ? Number(entry['timeoutSeconds'] ?? 0) : 0))
  return {
    variables: [...new Set(names)].filter((name) => !common.has(name)).sort(),
    timeoutSeconds: Math.max(300, ...times.map(Math.ceil)),
  }
}
