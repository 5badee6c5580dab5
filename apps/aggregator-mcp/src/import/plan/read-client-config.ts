import { EntryRefused, translateEntry } from '@pith-mcp/server-kit/clients'
import {
  FileRefused,
  isTable,
  readConfigText,
  type Table,
  valueAt,
} from '@pith-mcp/server-kit/files'
import type { HostEnvironment } from '../entry/host-environment.ts'
import { configsOf, isAggregator } from '../entry/own-entry.ts'
import type { FoundConfig } from '../find/find-config-files.ts'
import { validName } from './name-servers.ts'
import { faultOf } from './own-file.ts'
import type { PlannedConfig, PlannedServer, PlanOptions } from './plan.ts'

/** The servers of a client's file, translated. */
export interface ReadClientConfig extends Omit<PlannedConfig, 'servers' | 'own'> {
  members: Table
  servers: Omit<PlannedServer, 'name' | 'status'>[]
  /** An existing entry for this program. */
  existing?: { name: string; entry: Table }
}

/** @throws {FileRefused} */
export async function readClientConfig(
  found: FoundConfig,
  config: string,
  { project }: PlanOptions,
  host: HostEnvironment,
): Promise<ReadClientConfig> {
  const { client, location, otherFiles } = found
  const { root, members } = await membersOf(found)
  const read: ReadClientConfig = {
    found,
    members,
    servers: [],
    left: [],
    remarks: [],
    isWaiting: location.folder !== undefined && !project,
  }
  for (const [name, raw] of Object.entries(members)) {
    if (isTable(raw) && isAggregator(raw)) {
      read.left.push({ name, reason: 'This is the aggregator itself.' })
      read.existing ??= { name, entry: raw }
      continue
    }
    const notes: string[] = []
    const note = (text: string): void => void notes.push(text)
    try {
      const entry = translateEntry(client, raw, { name, location, host, root, otherFiles, note })
      const fault = await faultOf({ [validName(name)]: entry })
      if (fault !== undefined) throw new EntryRefused(fault)
      read.servers.push({ from: name, entry, notes })
    } catch (error) {
      if (!(error instanceof EntryRefused)) throw error
      read.left.push({ name, reason: error.message })
    }
  }
  if (read.servers.length > 0) read.remarks.push(...(client.remarks?.(root, otherFiles) ?? []))
  const others = read.existing ? configsOf(read.existing.entry, host) : []
  if (read.servers.length > 0 && !read.isWaiting && others.length > 0 && !others.includes(config))
    throw new FileRefused(
      `The aggregator in it uses another configuration. Import into that one: --config ${others[0]}`,
    )
  return read
}

async function membersOf({ client, location, text }: FoundConfig) {
  const root = await readConfigText(client.format, text, location.at)
  const members = valueAt(root, location.at)
  if (!isTable(members)) throw new FileRefused(`${location.at.join('.')} must be an object.`)
  return { root, members }
}
