import { EntryRefused, translateEntry } from '@pith-mcp/server-kit/clients'
import {
  type Change,
  editConfigText,
  FileRefused,
  isTable,
  readConfigText,
  sameData,
  type Table,
  valueAt,
} from '@pith-mcp/server-kit/files'
import type { HostEnvironment } from '../entry/host-environment.ts'
import { configsOf, isAggregator, type OwnEntry, ownEntry } from '../entry/own-entry.ts'
import type { Findings, FoundConfig } from '../find/find-config-files.ts'
import { createNames, validName } from './name-servers.ts'
import { faultOf, needsOf, type OwnFile, serversOf, withServers } from './own-file.ts'
import type { Edit, Plan, PlannedConfig, PlannedServer, PlanOptions } from './plan.ts'
import { secretsOf, withReferences } from './secrets.ts'

/** Plan an import, without writing. @throws {FileRefused} if our own file is invalid */
export async function planImport(
  { files, unreadable }: Findings,
  dest: OwnFile,
  options: PlanOptions,
  host: HostEnvironment,
): Promise<Plan> {
  const existing = await serversOf(dest)
  const refused = [...unreadable]
  let usable = [...files]
  for (;;) {
    const read: ReadClientConfig[] = []
    for (const file of usable) {
      try {
        read.push(await readClientConfig(file, dest.named, options, host))
      } catch (error) {
        refused.push(rejection(file, error))
      }
    }
    const { locations, added: clear } = nameAll(read, existing)
    const secrets = Object.entries(clear).flatMap(([name, entry]) => secretsOf(name, entry, host))
    const { where, referenceTo } = await host.secrets()
    const added = options.keychain ? inStore(clear, host, referenceTo) : clear
    const needs = needsOf(dest.before, added)
    const ours = { name: options.name, config: dest.named, needs, host }
    const edits = await editClientConfigs(options.copy ? [] : locations, ours)
    if (edits.refused === undefined) {
      const isAdded = Object.keys(added).length > 0
      const extended = isAdded
        ? [{ path: dest.path, before: dest.before, after: await withServers(dest, added) }]
        : []
      return {
        locations,
        refused,
        config: dest.path,
        needs,
        secrets,
        where,
        risks: Object.entries(added).flatMap(([name, entry]) =>
          host.risksOf(entry).map((risk) => `${name}: ${risk}`),
        ),
        edits: [...extended, ...edits.edits],
      }
    }
    // Plan again without this file: names may change.
    const { location, error } = edits.refused
    refused.push(rejection(location, error))
    usable = read.map(({ file }) => file).filter((file) => file !== location)
  }
}

const inStore = (
  servers: Readonly<Record<string, Table>>,
  host: HostEnvironment,
  referenceTo: (name: string) => string,
): Record<string, Table> =>
  Object.fromEntries(
    Object.entries(servers).map(([name, entry]) => [
      name,
      withReferences(entry, secretsOf(name, entry, host), referenceTo),
    ]),
  )

function rejection({ client, location }: FoundConfig, error: unknown) {
  if (!(error instanceof FileRefused)) throw error
  return { client, file: location.file, reason: error.message }
}

function nameAll(
  read: readonly ReadClientConfig[],
  existing: Table,
): { locations: PlannedConfig[]; added: Record<string, Table> } {
  const name = createNames(existing)
  const added: Record<string, Table> = {}
  const locations = read.map((config): PlannedConfig => {
    const { file, isWaiting } = config
    const servers = config.servers.map((server) => {
      const assigned = isWaiting
        ? ({ name: server.from, status: 'new' } as const)
        : name(server.from, server.entry, file.client.name)
      if (assigned.status === 'new' && !isWaiting) added[assigned.name] = server.entry
      return { ...server, ...assigned }
    })
    return { ...config, servers }
  })
  return { locations, added }
}

/**
 * Edit the clients' files: remove moved servers, and add our entry. Sets `ourEntry` in `locations`. Resolves
 * to the edits, or to the first file that cannot be edited.
 */
async function editClientConfigs(locations: readonly PlannedConfig[], ours: OwnEntry) {
  const edits = new Map<string, Edit>()
  // Clients with a user-wide entry of ours: their folders need none.
  const covered = new Set<string>()
  for (const planned of locations.filter(({ isWaiting }) => !isWaiting)) {
    const { file } = planned
    const isCovered = file.location.folder !== undefined && covered.has(file.client.name)
    try {
      const { change, ourEntry } = changeOf(planned, ours, isCovered)
      if (ourEntry !== undefined) planned.ourEntry = ourEntry
      if (ourEntry !== undefined && file.location.folder === undefined)
        covered.add(file.client.name)
      if (change.drop.size + Object.keys(change.add).length === 0) continue
      // One file may hold several places.
      const edit = edits.get(file.path) ?? {
        path: file.path,
        before: file.text,
        after: file.text,
      }
      const { client, location } = file
      const after = await editConfigText(client.format, edit.after, location.at, change)
      edits.set(file.path, { ...edit, after })
    } catch (error) {
      return { edits: [], refused: { location: file, error } }
    }
  }
  return { edits: [...edits.values()], refused: undefined }
}

function changeOf(
  { servers, existing, members, file }: PlannedConfig,
  ours: OwnEntry,
  isCovered: boolean,
): { change: Change; ourEntry?: PlannedConfig['ourEntry'] } {
  const drop = new Set(servers.map(({ from }) => from))
  const none = { change: { drop, add: {} } }
  if (drop.size === 0 && existing === undefined) return none
  if (isCovered && existing === undefined) return none
  const name = existing?.name ?? ours.name
  if (existing === undefined && Object.hasOwn(members, name) && !drop.has(name))
    throw new FileRefused(
      `A server ${name} stays in it. Choose another name for our entry with --name.`,
    )
  const isOurs = existing !== undefined
  // If nothing moves, an entry with another configuration stays unchanged.
  const entry: Table = ownEntry(file.client, ours, existing?.entry)
  if (
    isOurs &&
    (sameData(entry, existing.entry) ||
      (drop.size === 0 && !configsOf(existing.entry, ours.host).includes(ours.config)))
  )
    return { ...none, ourEntry: { name, change: 'unchanged' } }
  return {
    change: { drop: isOurs ? new Set([...drop, name]) : drop, add: { [name]: entry } },
    ourEntry: { name, change: isOurs ? 'changed' : 'added' },
  }
}

/** The servers of a client's file, translated; they have no names in our file yet. */
interface ReadClientConfig extends Omit<PlannedConfig, 'servers'> {
  servers: Omit<PlannedServer, 'name' | 'status'>[]
}

/** @throws {FileRefused} */
async function readClientConfig(
  file: FoundConfig,
  config: string,
  { project }: PlanOptions,
  host: HostEnvironment,
): Promise<ReadClientConfig> {
  const { client, location, otherFiles } = file
  const { root, members } = await membersOf(file)
  const read: ReadClientConfig = {
    file,
    members,
    servers: [],
    staying: [],
    remarks: [],
    isWaiting: location.folder !== undefined && !project,
  }
  for (const [name, raw] of Object.entries(members)) {
    if (isTable(raw) && isAggregator(raw)) {
      read.staying.push({ name, reason: 'This is the aggregator itself.' })
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
      read.staying.push({ name, reason: error.message })
    }
  }
  if (read.servers.length > 0) read.remarks.push(...(client.remarks?.(root, otherFiles) ?? []))
  const configs = read.existing ? configsOf(read.existing.entry, host) : []
  if (read.servers.length > 0 && !read.isWaiting && configs.length > 0 && !configs.includes(config))
    throw new FileRefused(
      `The aggregator in it uses another configuration. Import into that one: --config ${configs[0]}`,
    )
  return read
}

async function membersOf({ client, location, text }: FoundConfig) {
  const root = await readConfigText(client.format, text, location.at)
  const members = valueAt(root, location.at)
  if (!isTable(members)) throw new FileRefused(`${location.at.join('.')} must be an object.`)
  return { root, members }
}
