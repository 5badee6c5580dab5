import { type Change, editJsonc, FileRefused, sameData, type Table } from '@pith-mcp/setup/files'
import { editToml } from '@pith-mcp/setup/toml'
import type { Needs } from '../entry/client.ts'
import type { Surroundings } from '../entry/entry-context.ts'
import { configsOf, ownEntry } from '../entry/own-entry.ts'
import type { FoundPlace } from '../find/find-places.ts'
import type { Edit, PlannedPlace, PlanOptions } from './plan.ts'
import type { ReadPlace } from './read-place.ts'

interface Edits {
  edits: Edit[]
  /** The first place that cannot be edited. */
  refused?: { place: FoundPlace; error: unknown }
}

/** The clients' files without what moves and with our entry. Notes in `places` what becomes of that. */
export function editPlaces(
  read: readonly ReadPlace[],
  places: readonly PlannedPlace[],
  config: string,
  needs: Needs,
  options: PlanOptions,
  around: Surroundings,
): Edits {
  const edits = new Map<string, Edit>()
  // An entry that is there in all folders is enough for the files of one.
  const covered = new Set<string>()
  for (const [index, one] of read.entries()) {
    const { found } = one
    const planned = places[index]
    if (planned === undefined || one.isWaiting) continue
    const isCovered = found.place.folder !== undefined && covered.has(found.client.name)
    try {
      const { change, own } = changeOf(one, config, needs, options, around, isCovered)
      if (own !== undefined) planned.own = own
      if (own !== undefined && found.place.folder === undefined) covered.add(found.client.name)
      if (change.drop.size + Object.keys(change.add).length === 0) continue
      // Two places may be in one file.
      const edit = edits.get(found.path) ?? {
        path: found.path,
        before: found.text,
        after: found.text,
      }
      edits.set(found.path, { ...edit, after: edited(found, edit.after, change) })
    } catch (error) {
      return { edits: [], refused: { place: found, error } }
    }
  }
  return { edits: [...edits.values()] }
}

function changeOf(
  { servers, existing, members, found }: ReadPlace,
  config: string,
  needs: Needs,
  options: PlanOptions,
  around: Surroundings,
  isCovered: boolean,
): { change: Change; own?: PlannedPlace['own'] } {
  const drop = new Set(servers.map(({ from }) => from))
  const none = { change: { drop, add: {} } }
  if (drop.size === 0 && existing === undefined) return none
  if (isCovered && existing === undefined) return none
  const name = existing?.name ?? options.name
  if (existing === undefined && Object.hasOwn(members, name) && !drop.has(name))
    throw new FileRefused(`a server ${name} stays in it; give our entry another --name`)
  const isOurs = existing !== undefined
  // Where nothing moves, an entry that serves another configuration is left to it.
  const entry: Table = ownEntry(found.client, config, needs, around, existing?.entry)
  if (
    isOurs &&
    (sameData(entry, existing.entry) ||
      (drop.size === 0 && !configsOf(existing.entry, around).includes(config)))
  )
    return { ...none, own: { name, change: 'kept' } }
  return {
    change: { drop: isOurs ? new Set([...drop, name]) : drop, add: { [name]: entry } },
    own: { name, change: isOurs ? 'changed' : 'added' },
  }
}

const edited = ({ client, place: { at } }: FoundPlace, text: string, change: Change): string =>
  client.format === 'toml' ? editToml(text, at[0] ?? '', change) : editJsonc(text, at, change)
