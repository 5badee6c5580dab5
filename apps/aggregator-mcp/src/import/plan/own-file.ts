import { AggregatorError, readConfig } from '@pith-mcp/aggregator'
import {
  editJsonc,
  FileRefused,
  isTable,
  objectAt,
  readJsonc,
  type Table,
} from '@pith-mcp/setup/files'
import type { Needs } from '../entry/client.ts'

/** Our own configuration file, as it is. */
export interface OwnFile {
  /** As our entries name it. */
  named: string
  /** Where it really is, behind links. */
  path: string
  before: string | undefined
}

const textOf = ({ before }: OwnFile): string => (before?.trim() ? before : '{}\n')

/** The servers of our own file. @throws {FileRefused} */
export async function serversOf(file: OwnFile): Promise<Table> {
  const { root, data } = readJsonc(textOf(file))
  const key = roomOf(data)
  objectAt(root, [key])
  const servers = data[key] ?? {}
  if (!isTable(servers)) throw new FileRefused(`${key} is no object`)
  const fault = await faultOf(servers)
  if (fault !== undefined) throw new FileRefused(fault)
  return servers
}

const roomOf = (data: Table): string => (Object.hasOwn(data, 'servers') ? 'servers' : 'mcpServers')

/** Our own file with more servers in it. @throws {FileRefused} */
export async function withServers(file: OwnFile, more: Table): Promise<string> {
  const text = textOf(file)
  const { data } = readJsonc(text)
  const key = roomOf(data)
  const after = Object.hasOwn(data, key)
    ? editJsonc(text, [key], { drop: new Set(), add: more })
    : editJsonc(text, [], { drop: new Set(), add: { [key]: more } })
  await serversOf({ ...file, before: after })
  return after
}

/** Why our reader would not take these servers, without what may be secret. */
export async function faultOf(servers: Table): Promise<string | undefined> {
  try {
    // Variables are judged where servers run; here they are not set.
    await readConfig(JSON.stringify({ mcpServers: servers }), {})
    return undefined
  } catch (error) {
    if (!(error instanceof AggregatorError)) throw error
    const { message } = error
    return /: "/.test(message) ? 'it is not what our reader takes' : message
  }
}

const reference = /(?<!\$)\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g

/** Everyone has these. */
const common = new Set(['HOME', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'TMPDIR'])

/** What an entry for our own file has to bring about. */
export function needsOf(text: string | undefined, servers: Table): Needs {
  const data = text?.trim() ? readJsonc(text).data : {}
  const said = JSON.stringify([data, servers])
  const names = [...said.matchAll(reference)].map(([, name = '']) => name)
  const entries = [...Object.values(servers), ...Object.values((data[roomOf(data)] ?? {}) as Table)]
  const times = entries.map((entry) => (isTable(entry) ? Number(entry['timeoutSeconds'] ?? 0) : 0))
  return {
    variables: [...new Set(names)].filter((name) => !common.has(name)).sort(),
    timeoutSeconds: Math.max(300, ...times.map(Math.ceil)),
  }
}
