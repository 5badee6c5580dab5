import { type ServerConfig, unitName, unitsOf } from '../config/server-config.ts'
import { abilitiesKey } from '../upstream/abilities.ts'
import type { Connection, Era } from '../upstream/connection.ts'
import type { Instance } from '../upstream/instances.ts'
import { anyAbilities, type CatalogEntry, fingerprintOf, type OfferKind } from './catalog-entry.ts'
import type { CatalogStore } from './catalog-store.ts'
import { offerKinds, readOffers } from './read-offers.ts'

/** What all servers offer, as far as it is known, whether they run or not. */
export interface Catalog {
  /** The entry for clients with these abilities, or the nearest there is. */
  entryOf(server: string, abilities: string): CatalogEntry | undefined
  eraOf(server: string): Era | undefined
  /** Whether the entry was read in this process, and the server told of no change since. */
  isConfirmed(entry: CatalogEntry): boolean
  /** Whether the lists of this conversation were read. */
  hasRead(connection: Connection): boolean
  /** Read the lists of a server that is ready, unless that is under way. */
  confirm(instance: Instance, connection: Connection): Promise<void>
  /** Read them again, since the server told of a change. One reading at a time. */
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

  const reading = new Map<Instance, { isDirty: boolean; done: Promise<void> }>()

  async function read(instance: Instance, connection: Connection): Promise<void> {
    const name = unitName(instance.server)
    const log = (text: string): void => onLog(`${name}: ${text}`)
    const entry: CatalogEntry = {
      ...hideIn(await readOffers(connection, log)),
      server: name,
      abilities: connection.era === 'modern' ? anyAbilities : abilitiesKey(instance.capabilities),
      fingerprint: fingerprintOf(instance.server),
      era: connection.era,
      capabilities: connection.capabilities,
      serverInfo: connection.serverInfo,
      instructions: hideIn(connection.instructions),
      readAt: now(),
    }
    conversations.add(connection)
    // It may have been replaced while it was read.
    if (fingerprints.get(name) !== entry.fingerprint) return
    const known = entries.get(name) ?? []
    const before = known.find(({ abilities }) => abilities === entry.abilities)
    const others = known.filter((other) => other !== before && other.era === entry.era)
    entries.set(name, [...others, entry])
    if (before) confirmed.delete(before)
    confirmed.add(entry)
    version++
    const changed = offerKinds.filter((kind) => !isSame(before?.[kind] ?? [], entry[kind]))
    // Otherwise other processes have it already.
    if (changed.length > 0 || before === undefined || now() - before.readAt > keptMs)
      store.write(name, entries.get(name) ?? [])
    if (changed.length > 0) onChange(changed, known.length === 0, instance.server)
  }

  function keepReading(instance: Instance, connection: Connection): Promise<void> {
    const state = { isDirty: true, done: Promise.resolve() }
    reading.set(instance, state)
    state.done = (async () => {
      try {
        for (let round = 0; state.isDirty; round++) {
          // A server that tells of a change whenever it is read is read ever more rarely.
          if (round > 2) await sleep(Math.min(longestPauseMs, 2 ** round * 10))
          state.isDirty = false
          await read(instance, connection)
        }
      } finally {
        reading.delete(instance)
      }
    })()
    return state.done
  }

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
    confirm: (instance, connection) =>
      reading.get(instance)?.done ?? keepReading(instance, connection),
    refresh(instance, connection) {
      const underWay = reading.get(instance)
      if (!underWay) return keepReading(instance, connection)
      underWay.isDirty = true
      return underWay.done
    },
    replace,
    touch: () => void version++,
    get version() {
      return version
    },
  }
}

/** Entries that did not change are written again after that. */
const keptMs = 3_600_000
const longestPauseMs = 60_000

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref())

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
