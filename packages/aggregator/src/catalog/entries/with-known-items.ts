import type { Fields } from '../../protocol/message.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import { offerKinds } from './read-offers.ts'

/**
 * The entry with the lists and items of the one before where they say the same, since what is made
 * of them is kept by identity; the one before if it says the same throughout.
 */
export function withKnownItems(entry: CatalogEntry, before: CatalogEntry): CatalogEntry {
  const lists = Object.fromEntries(
    offerKinds.map((kind) => [kind, withKnown(entry[kind], before[kind])]),
  ) as Pick<CatalogEntry, (typeof offerKinds)[number]>
  const isSame =
    offerKinds.every((kind) => lists[kind] === before[kind]) && aside(entry) === aside(before)
  return isSame ? before : { ...entry, ...lists }
}

function withKnown(items: Fields[], before: Fields[]): Fields[] {
  const known = new Map(before.map((item) => [JSON.stringify(item), item]))
  const found = items.map((item) => known.get(JSON.stringify(item)) ?? item)
  const isSame =
    found.length === before.length && found.every((item, index) => item === before[index])
  return isSame ? before : found
}

/** What an entry says beside its lists. */
const aside = ({
  fingerprint,
  era,
  capabilities,
  serverInfo,
  instructions,
  unread,
  beyond,
}: CatalogEntry): string =>
  JSON.stringify([fingerprint, era, capabilities, serverInfo, instructions, unread, beyond])
