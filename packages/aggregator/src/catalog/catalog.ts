import { type ServerConfig, unitsOf } from '../config/server-config.ts'
import type { Era } from '../protocol/message.ts'
import { safeName } from '../protocol/safe-name.ts'
import { unitName } from '../protocol/unit.ts'
import { abilitiesKey } from '../upstream/connection/abilities.ts'
import type { Connection } from '../upstream/connection/connection.ts'
import type { Instance } from '../upstream/instances.ts'
import {
  anyAbilities,
  type CatalogEntry,
  fingerprintOf,
  type OfferKind,
} from './entries/catalog-entry.ts'
import type { CatalogStore } from './entries/catalog-store.ts'
import { offerKinds, readOffers } from './entries/read-offers.ts'
import { withKnownItems } from './entries/with-known-items.ts'
import { beyondBounds, boundedWords } from './entries/within-bounds.ts'
import { createReadings } from './readings.ts'

/** What all servers offer, as far as it is known, whether they run or not. */
export interface Catalog {
  /** The entry for clients with these abilities, or the nearest there is. */
  entryOf(server: string, abilities: string): CatalogEntry | undefined
  eraOf(server: string): Era | undefined
  /** Whether the entry was read in this process, and the server told of no change since. */
  isConfirmed(entry: CatalogEntry): boolean
  /** Whether the lists of this conversation were read. */
  hasRead(connection: Connection): boolean
  /** Read the lists of a server that is ready, unless that is under way. The same stay the same. */
  confirm(instance: Instance, connection: Connection): Promise<void>
  /** Read them again, since the server told of a change; not as often as it tells. */
  refresh(instance: Instance, connection: Connection): Promise<void>
  /** These are the servers from now on; what is known of those that changed is forgotten. */
  replace(servers: readonly ServerConfig[]): void
  /** What is made of it has to be made anew. */
  touch(): void
  /** Grows with every change. */
  readonly version: number
}

export interface CatalogOptions {
  servers: readonly ServerConfig[]
  store: CatalogStore
  /** `isNew`: nothing was known of the server before. */
  onChange(kinds: readonly OfferKind[], isNew: boolean, unit: ServerConfig): void
  onLog(text: string): void
  /** Takes what is secret out of what servers say of themselves. */
  hideIn?: (<T>(value: T) => T) | undefined
  now?: () => number
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { store, onChange, onLog, hideIn = (value) => value, now = Date.now } = options
  let fingerprints = new Map<string, string>()
  const entries = new Map<string, CatalogEntry[]>()
  let version = 0
  const confirmed = new Set<CatalogEntry>()
  const conversations = new WeakSet<Connection>()
  replace(options.servers)

  /** What was read from another server of that name is not what this one offers. */
  function replace(servers: readonly ServerConfig[]): void {
    const units = servers.flatMap(unitsOf)
    fingerprints = new Map(units.map((unit) => [unitName(unit), fingerprintOf(unit)]))
    const isOf = ({ server, fingerprint }: CatalogEntry): boolean =>
      fingerprints.get(server) === fingerprint
    for (const [name, known] of entries) {
      if (known.every(isOf)) continue
      entries.delete(name)
      for (const entry of known) confirmed.delete(entry)
    }
    for (const entry of store.read())
      if (isOf(entry) && !isKnown(entry))
        entries.set(entry.server, [...(entries.get(entry.server) ?? []), entry])
    version++
  }

  function isKnown({ server, abilities }: CatalogEntry): boolean {
    return entries.get(server)?.some((entry) => entry.abilities === abilities) ?? false
  }

  async function read(instance: Instance, connection: Connection): Promise<void> {
    const name = unitName(instance.server)
    const found = await readEntry(instance, connection)
    conversations.add(connection)
    // It may have been replaced while it was read.
    if (fingerprints.get(name) !== found.fingerprint) return
    const known = entries.get(name) ?? []
    const before = known.find(({ abilities }) => abilities === found.abilities)
    const others = known.filter((other) => other !== before && other.era === found.era)
    const entry = before === undefined ? found : withKnownItems(found, before)
    const isNew = entry !== before || others.length !== known.length - 1
    // Otherwise other processes have it already.
    const isKept = !isNew && now() - entry.readAt <= keptMs
    entry.readAt = isKept ? entry.readAt : found.readAt
    confirmed.add(entry)
    if (isNew) {
      entries.set(name, [...others, entry])
      if (before !== undefined && before !== entry) confirmed.delete(before)
      version++
      const unread = sayUnread(entry)
      if (unread !== undefined && unread !== (before && sayUnread(before)))
        onLog(`${name}: ${unread}`)
    }
    if (!isKept) store.write(name, entries.get(name) ?? [])
    const changed = offerKinds.filter((kind) =>
      before === undefined ? entry[kind].length > 0 : entry[kind] !== before[kind],
    )
    if (changed.length > 0) onChange(changed, known.length === 0, instance.server)
  }

  async function readEntry(instance: Instance, connection: Connection): Promise<CatalogEntry> {
    const name = unitName(instance.server)
    const offers = await readOffers(connection, (text) => onLog(`${name}: ${text}`))
    const capabilities = boundedWords('capabilities', connection.capabilities)
    const serverInfo = boundedWords('serverInfo', connection.serverInfo)
    const instructions = boundedWords('instructions', connection.instructions)
    const unread = [offers, capabilities, serverInfo, instructions].flatMap(
      ({ unread = [] }) => unread,
    )
    return {
      ...hideIn(offers),
      server: name,
      abilities: connection.era === 'modern' ? anyAbilities : abilitiesKey(instance.capabilities),
      fingerprint: fingerprintOf(instance.server),
      era: connection.era,
      capabilities: capabilities.value ?? {},
      serverInfo: serverInfo.value,
      instructions: hideIn(instructions.value),
      ...(unread.length > 0 && { unread: hideIn(unread) }),
      readAt: now(),
    }
  }

  const readings = createReadings(read)

  return {
    entryOf(server, abilities) {
      const known = entries.get(server) ?? []
      return (
        known.find((entry) => entry.abilities === abilities) ??
        known.find((entry) => entry.abilities === anyAbilities) ??
        known[0]
      )
    },
    eraOf: (server) => entries.get(server)?.[0]?.era,
    isConfirmed: (entry) => confirmed.has(entry),
    hasRead: (connection) => conversations.has(connection),
    confirm: readings.confirm,
    refresh: readings.refresh,
    replace,
    touch: () => void version++,
    get version() {
      return version
    },
  }
}

/** Entries that did not change are written again after that. */
const keptMs = 3_600_000

const mostNamed = 3

/** For the log: what of a server is not read, if there is such a thing. */
function sayUnread({ unread = [], beyond = {} }: CatalogEntry): string | undefined {
  const named = unread
    .slice(0, mostNamed)
    .map(({ kind, name, why }) => `${kind} ${safeName(name)}: ${why}`)
  const rest = unread.length - named.length
  const counts = Object.entries(beyond).map(([kind, count]) => `${count} more of ${kind}`)
  const parts = [
    ...named,
    ...(rest > 0 ? [`${rest} like these`] : []),
    ...(counts.length > 0 ? [`${counts.join(', ')}: ${beyondBounds}`] : []),
  ]
  return parts.length === 0 ? undefined : `not read: ${parts.join('; ')}`
}
