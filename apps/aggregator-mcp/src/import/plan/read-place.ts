import {
  FileRefused,
  isTable,
  objectAt,
  readJsonc,
  type Table,
  valueAt,
} from '@pith-mcp/setup/files'
import { readToml } from '@pith-mcp/setup/toml'
import type { Surroundings } from '../entry/entry-context.ts'
import { NotMoved } from '../entry/not-moved.ts'
import { configsOf, isAggregator } from '../entry/own-entry.ts'
import { translateEntry } from '../entry/translate-entry.ts'
import type { FoundPlace } from '../find/find-places.ts'
import { validName } from './name-servers.ts'
import { faultOf } from './own-file.ts'
import type { LeftServer, PlannedServer, PlanOptions } from './plan.ts'

/** What stands in a place, put into our words. */
export interface ReadPlace {
  found: FoundPlace
  members: Table
  servers: Omit<PlannedServer, 'name' | 'fate'>[]
  left: LeftServer[]
  remarks: string[]
  isWaiting: boolean
  /** An entry for this very program that is there already. */
  existing?: { name: string; entry: Table }
}

/** @throws {FileRefused} */
export async function readPlace(
  found: FoundPlace,
  config: string,
  { project }: PlanOptions,
  around: Surroundings,
): Promise<ReadPlace> {
  const { client, place, beside } = found
  const { root, members } = membersOf(found)
  const read: ReadPlace = {
    found,
    members,
    servers: [],
    left: [],
    remarks: [],
    isWaiting: place.folder !== undefined && !project,
  }
  for (const [name, raw] of Object.entries(members)) {
    if (isTable(raw) && isAggregator(raw)) {
      read.left.push({ name, why: 'it is the aggregator itself' })
      read.existing ??= { name, entry: raw }
      continue
    }
    const notes: string[] = []
    const note = (text: string): void => void notes.push(text)
    try {
      const entry = translateEntry(client, raw, { name, place, around, root, beside, note })
      const fault = await faultOf({ [validName(name)]: entry })
      if (fault !== undefined) throw new NotMoved(fault)
      read.servers.push({ from: name, entry, notes })
    } catch (error) {
      if (!(error instanceof NotMoved)) throw error
      read.left.push({ name, why: error.message })
    }
  }
  if (read.servers.length > 0) read.remarks.push(...(client.remarks?.(root, beside) ?? []))
  const others = read.existing ? configsOf(read.existing.entry, around) : []
  if (read.servers.length > 0 && !read.isWaiting && others.length > 0 && !others.includes(config))
    throw new FileRefused(
      `the aggregator in it has another configuration; import into that one: --config ${others[0]}`,
    )
  return read
}

function membersOf({ client, place, text }: FoundPlace): { root: Table; members: Table } {
  const root = client.format === 'toml' ? readToml(text).data : checked(text, place.at)
  const members = valueAt(root, place.at)
  if (!isTable(members)) throw new FileRefused(`${place.at.join('.')} is no object`)
  return { root, members }
}

function checked(text: string, at: readonly string[]): Table {
  const { root, data } = readJsonc(text)
  objectAt(root, at)
  return data
}
