import type { JsonObject } from '#servers/protocol/message'
import type { CatalogEntry } from './catalog-entry.ts'
import { itemKinds } from './list-items.ts'

/**
 * Replaces lists and items that are equal to those of `before` by the same objects, since derived
 * data is cached by identity. Returns `before` if the entries are equal.
 */
export function withKnownItems(entry: CatalogEntry, before: CatalogEntry): CatalogEntry {
  const lists = Object.fromEntries(
    itemKinds.map((kind) => [kind, withKnown(entry[kind], before[kind])]),
  ) as Pick<CatalogEntry, (typeof itemKinds)[number]>
  const isSame =
    itemKinds.every((kind) => lists[kind] === before[kind]) && aside(entry) === aside(before)
  return isSame ? before : { ...entry, ...lists }
}

function withKnown(items: JsonObject[], before: JsonObject[]): JsonObject[] {
  const byJson = new Map(before.map((item) => [JSON.stringify(item), item]))
  const merged = items.map((item) => byJson.get(JSON.stringify(item)) ?? item)
  const isSame =
    merged.length === before.length && merged.every((item, index) => item === before[index])
  return isSame ? before : merged
}

/** The members of an entry except its lists. */
const aside = ({
  fingerprint,
  era,
  capabilities,
  serverInfo,
  instructions,
  unread,
  faults,
  beyond,
  ttlMs,
}: CatalogEntry): string =>
  JSON.stringify([
    [fingerprint, era, capabilities, serverInfo, instructions],
    [unread, faults, beyond, ttlMs],
  ])
