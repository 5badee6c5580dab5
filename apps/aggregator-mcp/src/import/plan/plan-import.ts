import { FileRefused, type Table } from '@pith-mcp/server-kit/files'
import type { HostEnvironment } from '../entry/host-environment.ts'
import type { Findings, FoundConfig } from '../find/find-config-files.ts'
import { editClientConfigs } from './edit-client-configs.ts'
import { createNames } from './name-servers.ts'
import { needsOf, type OwnFile, serversOf, withServers } from './own-file.ts'
import type { Plan, PlannedConfig, PlanOptions } from './plan.ts'
import { type ReadClientConfig, readClientConfig } from './read-client-config.ts'

/** Plan an import, without writing. @throws {FileRefused} if our own file is invalid */
export async function planImport(
  { found, unreadable }: Findings,
  own: OwnFile,
  options: PlanOptions,
  host: HostEnvironment,
): Promise<Plan> {
  const existing = await serversOf(own)
  const refused = [...unreadable]
  let usable = [...found]
  for (;;) {
    const read: ReadClientConfig[] = []
    for (const one of usable) {
      try {
        read.push(await readClientConfig(one, own.named, options, host))
      } catch (error) {
        refused.push(rejection(one, error))
      }
    }
    const { locations, added } = nameAll(read, existing)
    const needs = needsOf(own.before, added)
    const edits = options.copy
      ? { edits: [], refused: undefined }
      : await editClientConfigs(read, locations, {
          name: options.name,
          config: own.named,
          needs,
          host,
        })
    if (edits.refused === undefined) {
      const isAdded = Object.keys(added).length > 0
      const ours = isAdded
        ? [{ path: own.path, before: own.before, after: await withServers(own, added) }]
        : []
      return { locations, refused, config: own.path, needs, edits: [...ours, ...edits.edits] }
    }
    // Plan again without this file: names may change.
    const { location, error } = edits.refused
    refused.push(rejection(location, error))
    usable = read.map(({ found }) => found).filter((one) => one !== location)
  }
}

function rejection({ client, location }: FoundConfig, error: unknown) {
  if (!(error instanceof FileRefused)) throw error
  return { client, file: location.file, reason: error.message }
}

function nameAll(
  read: readonly ReadClientConfig[],
  existing: Table,
): { locations: PlannedConfig[]; added: Table } {
  const name = createNames(existing)
  const added: Table = {}
  const locations = read.map(({ found, servers, left, remarks, isWaiting }): PlannedConfig => {
    const named = servers.map((server) => {
      const assigned = isWaiting
        ? ({ name: server.from, status: 'new' } as const)
        : name(server.from, server.entry, found.client.name)
      if (assigned.status === 'new' && !isWaiting) added[assigned.name] = server.entry
      return { ...server, ...assigned }
    })
    return { found, servers: named, left: [...left], remarks: [...remarks], isWaiting }
  })
  return { locations, added }
}
