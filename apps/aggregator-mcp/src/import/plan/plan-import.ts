import { FileRefused, type Table } from '@pith-mcp/setup/files'
import type { Surroundings } from '../entry/entry-context.ts'
import type { Findings, FoundPlace } from '../find/find-places.ts'
import { editPlaces } from './edit-places.ts'
import { createNames } from './name-servers.ts'
import { needsOf, type OwnFile, serversOf, withServers } from './own-file.ts'
import type { Plan, PlannedPlace, PlanOptions } from './plan.ts'
import { type ReadPlace, readPlace } from './read-place.ts'

/**
 * What an import would do, from the texts of the files alone.
 *
 * @throws {FileRefused} when our own file is not what it should be
 */
export async function planImport(
  { found, unreadable }: Findings,
  own: OwnFile,
  options: PlanOptions,
  around: Surroundings,
): Promise<Plan> {
  const existing = await serversOf(own)
  const refused = [...unreadable]
  let usable = [...found]
  for (;;) {
    const read: ReadPlace[] = []
    for (const one of usable) {
      try {
        read.push(await readPlace(one, own.named, options, around))
      } catch (error) {
        refused.push(refusal(one, error))
      }
    }
    const { places, added } = nameAll(read, existing)
    const needs = needsOf(own.before, added)
    const edits = options.copy
      ? { edits: [], refused: undefined }
      : editPlaces(read, places, own.named, needs, options, around)
    if (edits.refused === undefined) {
      const isAdded = Object.keys(added).length > 0
      const ours = isAdded
        ? [{ path: own.path, before: own.before, after: await withServers(own, added) }]
        : []
      return { places, refused, config: own.path, needs, edits: [...ours, ...edits.edits] }
    }
    // Without it others may have other names.
    const { place, error } = edits.refused
    refused.push(refusal(place, error))
    usable = read.map(({ found }) => found).filter((one) => one !== place)
  }
}

function refusal({ client, place }: FoundPlace, error: unknown) {
  if (!(error instanceof FileRefused)) throw error
  return { client, file: place.file, why: error.message }
}

function nameAll(
  read: readonly ReadPlace[],
  existing: Table,
): { places: PlannedPlace[]; added: Table } {
  const name = createNames(existing)
  const added: Table = {}
  const places = read.map(({ found, servers, left, remarks, isWaiting }): PlannedPlace => {
    const named = servers.map((server) => {
      const given = isWaiting
        ? ({ name: server.from, fate: 'new' } as const)
        : name(server.from, server.entry, found.client.name)
      if (given.fate === 'new' && !isWaiting) added[given.name] = server.entry
      return { ...server, ...given }
    })
    return { found, servers: named, left: [...left], remarks: [...remarks], isWaiting }
  })
  return { places, added }
}
