import { type ServerConfig, unitsOf } from '#servers/config/server-config'
import type { Connection } from '#servers/connection/connection'
import type { Era } from '#servers/protocol/message'
import { qualifiedName } from '#servers/protocol/server-account'
import type { Instance } from '../upstream/instance.ts'
import { type CatalogEntry, fingerprintOf, type ItemKind } from './entries/catalog-entry.ts'
import type { CatalogStore } from './entries/catalog-store.ts'
import { itemKinds } from './entries/list-items.ts'
import { describeFaults, describeUnread, readEntry } from './entries/read-entry.ts'
import { withKnownItems } from './entries/with-known-items.ts'
import { createRefreshQueue } from './refresh-queue.ts'

/** The known lists of all servers, whether they run or not. */
export interface Catalog {
  entryOf(server: string): CatalogEntry | undefined
  eraOf(server: string): Era | undefined
  /** True if a server of 2025 has not been asked for its era for a day, or in its new version. */
  mayBeUpgraded(server: string): boolean
  /** True if the entry was read in this process, and is neither replaced nor older than its `ttlMs`. */
  isCurrent(entry: CatalogEntry): boolean
  /** True if the lists were read over this connection. */
  hasRead(connection: Connection): boolean
  /**
   * Reads the lists of a ready server unless a read is in progress. Unchanged items keep their
   * identity.
   */
  read(instance: Instance, connection: Connection): Promise<void>
  /** Reads the lists again after a change notification, with a backoff. */
  refresh(instance: Instance, connection: Connection): Promise<void>
  /**
   * Takes over what another process has read of a server, and stored, unless the server runs here: a
   * process of its own may list other tools.
   */
  adopt(entry: CatalogEntry): void
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
  const entries = new Map<string, CatalogEntry>()
  let version = 0
  /** Until when entries that were read count as read, while a connection that read them is open. */
  const confirmed = new WeakMap<CatalogEntry, number>()
  /** The open connections over which lists were read, with their units. */
  const readers = new Map<Connection, string>()
  /** A server that was started again may list other tools. */
  const isRunning = ({ server }: CatalogEntry): boolean => [...readers.values()].includes(server)
  replace(options.servers)

  /** Entries of another server with the same name are not reused. */
  function replace(servers: readonly ServerConfig[]): void {
    units = unitsIn(servers)
    const isOf = (entry: CatalogEntry) => units.get(entry.server)?.fingerprint === entry.fingerprint
    for (const [name, entry] of entries) if (!isOf(entry)) entries.delete(name)
    for (const entry of store.read())
      if (isOf(entry) && !entries.has(entry.server)) entries.set(entry.server, entry)
    version++
  }

  async function readLists(instance: Instance, connection: Connection): Promise<void> {
    const name = qualifiedName(instance.server)
    const log = (text: string): void => onLog(`${name}: ${text}`)
    const latest = await readEntry(instance, connection, { onLog: log, redactIn, readAt: now() })
    readers.set(connection, name)
    void connection.closed.then(() => readers.delete(connection))
    // The configuration may have changed during the read.
    if (units.get(name)?.fingerprint !== latest.fingerprint) return
    const before = entries.get(name)
    // A server of both eras stays one, also if it was read in the older.
    if (instance.wantedEra && before?.era === 'modern') latest.era = 'modern'
    const entry = before === undefined ? latest : withKnownItems(latest, before)
    const isNew = entry !== before
    const isAsked = noteEra(entry, before, connection.isProbed ? now() : undefined)
    const isKept = !isNew && !isAsked && now() - entry.readAt <= storedMs
    if (!isKept) entry.readAt = latest.readAt
    confirmed.set(entry, now() + freshMs(entry))
    if (isNew) {
      take(instance.server, entry)
      for (const text of newsOf(entry, before)) log(text)
    }
    if (!isKept) store.write(entry)
  }

  function take(unit: ServerConfig, entry: CatalogEntry): void {
    const before = entries.get(entry.server)
    entries.set(entry.server, entry)
    version++
    const changed = changesOf(entry, before)
    if (changed.length > 0) onChange(changed, before === undefined, unit)
  }

  function adopt(latest: CatalogEntry): void {
    const { unit, fingerprint } = units.get(latest.server) ?? {}
    if (unit === undefined || fingerprint !== latest.fingerprint) return
    if (isRunning(latest)) return
    const before = entries.get(latest.server)
    const entry = before === undefined ? latest : withKnownItems(latest, before)
    if (entry !== before) take(unit, entry)
  }

  return {
    entryOf: (server) => entries.get(server),
    eraOf: (server) => entries.get(server)?.era,
    mayBeUpgraded: (server) => mayBeUpgraded(entries.get(server), now()),
    isCurrent: (entry) => isRunning(entry) && now() < (confirmed.get(entry) ?? 0),
    hasRead: (connection) => readers.has(connection),
    ...createRefreshQueue(readLists),
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
  return new Map(
    all.map((unit) => [qualifiedName(unit), { unit, fingerprint: fingerprintOf(unit) }]),
  )
}

const changesOf = (entry: CatalogEntry, before: CatalogEntry | undefined): ItemKind[] =>
  itemKinds.filter((kind) =>
    before === undefined ? entry[kind].length > 0 : entry[kind] !== before[kind],
  )

/** How long a server's `ttlMs` lets its lists be used; at most one reading a minute. */
export const freshMs = ({ ttlMs }: CatalogEntry): number =>
  ttlMs === undefined ? Number.POSITIVE_INFINITY : Math.max(ttlMs, 60_000)

/** What the log has to say of an entry, and not yet of the one before. */
const newsOf = (entry: CatalogEntry, before: CatalogEntry | undefined): string[] =>
  [describeUnread, describeFaults].flatMap((describe) => {
    const text = describe(entry)
    return text === undefined || text === (before && describe(before)) ? [] : [text]
  })

const mayBeUpgraded = ({ era, probedAt = 0 }: Partial<CatalogEntry> = {}, now: number): boolean =>
  era === 'legacy' && Math.abs(now - probedAt) > maxEraMs

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
