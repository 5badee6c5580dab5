import { type ServerConfig, unitsOf } from '../config/server-config.ts'
import type { Era, JsonObject } from '../protocol/message.ts'
import { unitName } from '../protocol/unit.ts'
import { capabilitiesKey } from '../upstream/connection/client-capabilities.ts'
import type { Connection } from '../upstream/connection/connection.ts'
import type { Instance } from '../upstream/instance.ts'
import {
  anyCapabilities,
  type CatalogEntry,
  fingerprintOf,
  type ItemKind,
} from './entries/catalog-entry.ts'
import type { CatalogStore } from './entries/catalog-store.ts'
import { itemKinds } from './entries/list-items.ts'
import { describeFaults, describeUnread, readEntry } from './entries/read-entry.ts'
import { withKnownItems } from './entries/with-known-items.ts'
import { createRefreshQueue } from './refresh-queue.ts'

/** The known lists of all servers, whether they run or not. */
export interface Catalog {
  /** The entry for clients with these capabilities, or the closest one. */
  entryOf(server: string, capabilities?: JsonObject): CatalogEntry | undefined
  eraOf(server: string): Era | undefined
  /** True if a server of 2025 has not been asked for its era for a day, or in its new version. */
  mayBeUpgraded(server: string): boolean
  /** True if the entry was read in this process, and is neither replaced nor older than its `ttlMs`. */
  isConfirmed(entry: CatalogEntry): boolean
  /** True if the lists were read over this connection. */
  hasRead(connection: Connection): boolean
  /**
   * Reads the lists of a ready server unless a read is in progress. Unchanged items keep their
   * identity.
   */
  confirm(instance: Instance, connection: Connection): Promise<void>
  /** Reads the lists again after a change notification, with a backoff. */
  refresh(instance: Instance, connection: Connection): Promise<void>
  /**
   * Takes over what another process has read of a server, and stored, unless the server runs here: a
   * process of its own may list other tools.
   */
  adopt(server: string, entries: readonly CatalogEntry[]): void
  /** Replaces the configured servers; entries of changed servers are dropped. */
  replace(servers: readonly ServerConfig[]): void
  /** Invalidates everything derived from the catalog. */
  touch(): void
  /** Increases with each change. */
  readonly version: number
}

export interface CatalogOptions {
  servers: readonly ServerConfig[]
  store: CatalogStore
  /** `isNew`: there was no entry of the server before. */
  onChange(kinds: readonly ItemKind[], isNew: boolean, unit: ServerConfig): void
  onLog(text: string): void
  /** Replaces secrets in what servers send. */
  redactIn?: (<T>(value: T) => T) | undefined
  now?: () => number
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { store, onChange, onLog, redactIn = (value) => value, now = Date.now } = options
  let units: ReturnType<typeof unitsIn> = new Map()
  const entries = new Map<string, CatalogEntry[]>()
  let version = 0
  /** Entries that were read in this process, and until when they count as read. */
  const confirmed = new WeakMap<CatalogEntry, number>()
  /** The open connections over which lists were read, with their units. */
  const readers = new Map<Connection, string>()
  replace(options.servers)

  /** Entries of another server with the same name are not reused. */
  function replace(servers: readonly ServerConfig[]): void {
    units = unitsIn(servers)
    const isOf = (entry: CatalogEntry) => units.get(entry.server)?.fingerprint === entry.fingerprint
    for (const [name, serverEntries] of entries)
      if (!serverEntries.every(isOf)) entries.delete(name)
    for (const entry of store.read()) {
      const serverEntries = entries.get(entry.server) ?? []
      if (isOf(entry) && serverEntries.every(({ abilities }) => abilities !== entry.abilities))
        entries.set(entry.server, [...serverEntries, entry])
    }
    version++
  }

  async function read(instance: Instance, connection: Connection): Promise<void> {
    const name = unitName(instance.server)
    const log = (text: string): void => onLog(`${name}: ${text}`)
    const latest = await readEntry(instance, connection, { onLog: log, redactIn, readAt: now() })
    readers.set(connection, name)
    void connection.closed.then(() => readers.delete(connection))
    // The configuration may have changed during the read.
    if (units.get(name)?.fingerprint !== latest.fingerprint) return
    const serverEntries = entries.get(name) ?? []
    // A server of both eras stays one, also if it was read in the older.
    if (instance.wantedEra && serverEntries[0]?.era === 'modern') latest.era = 'modern'
    const { entry, before, rest, isNew } = amongKnown(latest, serverEntries)
    const isAsked = noteEra(entry, before, connection.isProbed ? now() : undefined)
    const isKept = !isNew && !isAsked && now() - entry.readAt <= storedMs
    if (!isKept) entry.readAt = latest.readAt
    confirmed.set(entry, now() + freshMs(entry))
    if (isNew) {
      take(instance.server, entry, { before, rest })
      for (const text of newsOf(entry, before)) log(text)
    }
    if (!isKept) store.write(name, entries.get(name) ?? [])
  }

  function take(unit: ServerConfig, entry: CatalogEntry, { before, rest }: Replaced): void {
    const isFirst = !entries.has(entry.server)
    entries.set(entry.server, [...rest, entry])
    version++
    const changed = changesOf(entry, before)
    if (changed.length > 0) onChange(changed, isFirst, unit)
  }

  function adopt(name: string, storedEntries: readonly CatalogEntry[]): void {
    const { unit, fingerprint } = units.get(name) ?? {}
    if (unit === undefined || [...readers.values()].includes(name)) return
    for (const latest of storedEntries.filter((it) => it.fingerprint === fingerprint)) {
      const { entry, before, rest } = amongKnown(latest, entries.get(name) ?? [])
      if (entry !== before) take(unit, entry, { before, rest })
    }
  }

  return {
    entryOf: (server, capabilities) => closestEntry(entries.get(server) ?? [], capabilities),
    eraOf: (server) => entries.get(server)?.[0]?.era,
    mayBeUpgraded: (server) => mayBeUpgraded(entries.get(server), now()),
    isConfirmed: (entry) => now() < (confirmed.get(entry) ?? 0),
    hasRead: (connection) => readers.has(connection),
    ...createRefreshQueue(read),
    adopt,
    replace,
    touch: () => void version++,
    get version() {
      return version
    },
  }
}

/** The units of servers by name, with the fingerprints that their entries must have. */
function unitsIn(servers: readonly ServerConfig[]) {
  const all = servers.flatMap(unitsOf)
  return new Map(all.map((unit) => [unitName(unit), { unit, fingerprint: fingerprintOf(unit) }]))
}

type Replaced = Pick<ReturnType<typeof amongKnown>, 'before' | 'rest'>

/** An entry with its known items, the entry that it replaces, and those that stay. */
function amongKnown(latest: CatalogEntry, serverEntries: readonly CatalogEntry[]) {
  const isForAll = ({ abilities }: CatalogEntry): boolean => abilities === anyCapabilities
  const before =
    serverEntries.find(({ abilities }) => abilities === latest.abilities) ??
    (isForAll(latest) ? serverEntries[0] : undefined)
  const rest = serverEntries.filter(
    (sibling) => sibling !== before && !isForAll(latest) && !isForAll(sibling),
  )
  const entry = before === undefined ? latest : withKnownItems(latest, before)
  const isNew = entry !== before || rest.length !== serverEntries.length - 1
  return { entry, before, rest, isNew }
}

const changesOf = (entry: CatalogEntry, before: CatalogEntry | undefined): ItemKind[] =>
  itemKinds.filter((kind) =>
    before === undefined ? entry[kind].length > 0 : entry[kind] !== before[kind],
  )

/** How long a server's `ttlMs` lets its lists be used; at most one reading a minute. */
export const freshMs = ({ ttlMs }: CatalogEntry): number =>
  ttlMs === undefined ? Number.POSITIVE_INFINITY : Math.max(ttlMs, 60_000)

const closestEntry = (
  entries: readonly CatalogEntry[],
  capabilities: JsonObject = {},
): CatalogEntry | undefined => {
  // Most servers have one entry for all.
  const abilities = entries.length > 1 ? capabilitiesKey(capabilities) : anyCapabilities
  return entries.find((entry) => entry.abilities === abilities) ?? entries[0]
}

/** What the log has to say of an entry, and not yet of the one before. */
const newsOf = (entry: CatalogEntry, before: CatalogEntry | undefined): string[] =>
  [describeUnread, describeFaults].flatMap((describe) => {
    const text = describe(entry)
    return text === undefined || text === (before && describe(before)) ? [] : [text]
  })

const mayBeUpgraded = (entries: readonly CatalogEntry[] = [], now: number): boolean =>
  entries.length > 0 &&
  entries.every(({ era, probedAt = 0 }) => era === 'legacy' && Math.abs(now - probedAt) > maxEraMs)

/** Notes when the server was asked for its era. True if that has changed, and must be stored. */
function noteEra(
  entry: CatalogEntry,
  { serverInfo, probedAt }: Partial<CatalogEntry> = {},
  askedAt: number | undefined,
): boolean {
  const isSame = entry.serverInfo?.['version'] === serverInfo?.['version']
  const latest = askedAt ?? (isSame ? probedAt : undefined)
  const isChanged = latest !== entry.probedAt
  if (latest !== undefined) entry.probedAt = latest
  return isChanged
}

/** A server of 2025 is asked again after this time whether it was upgraded. */
const maxEraMs = 24 * 3_600_000

/** Unchanged entries are written again after this time. */
const storedMs = 3_600_000
