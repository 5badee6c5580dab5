import PQueue from 'p-queue'
import type { ServingSettings } from '#servers/config/aggregator-settings'
import type { ServerConfig } from '#servers/config/server-config'
import type { JsonObject } from '#servers/protocol/message'
import type { Session } from '#servers/protocol/request-context'
import { qualifiedName } from '#servers/protocol/server-account'
import type { Instance } from '../upstream/instance.ts'
import type { Catalog } from './catalog.ts'
import { itemKinds } from './entries/list-items.ts'
import type { ToolView } from './tool-view.ts'
import type { Viewer } from './view-cache.ts'

export type Discovery = ReturnType<typeof createDiscovery>

interface DiscoveryOptions {
  catalog: Catalog
  viewFor: (viewer: Viewer) => ToolView
  instanceOf: (server: ServerConfig, session: Session, capabilities: JsonObject) => Instance
  /** A session gets lists from now on. */
  onListed: (session: Session) => void
  settings: ServingSettings
}

/** Milliseconds; a server that takes longer frees its slot. */
const slotMs = 1_000

/** Queries the lists of servers. */
export function createDiscovery(options: DiscoveryOptions) {
  const { catalog, viewFor, instanceOf, onListed } = options
  const { firstListSeconds = 5 } = options.settings
  const patience = createPatience(firstListSeconds * 1_000)

  async function query(
    server: ServerConfig,
    session: Session,
    capabilities: JsonObject,
  ): Promise<void> {
    const instance = instanceOf(server, session, capabilities)
    // The server may request roots as soon as it has started.
    instance.requests.sessions.add(session)
    await instance.use((connection) => catalog.read(instance, connection))
  }

  /** Queries one server unless its lists are known. @throws {AggregatorError} `upstream_down` */
  async function readUnlessStored(
    server: ServerConfig,
    session: Session,
    capabilities: JsonObject,
  ): Promise<void> {
    const entryNow = () => catalog.entryOf(qualifiedName(server))
    const entry = entryNow()
    // An empty entry from an earlier process may have been a failure of the server.
    const isEmpty = entry !== undefined && itemKinds.every((kind) => entry[kind].length === 0)
    if (entry !== undefined && !(isEmpty && !catalog.isCurrent(entry))) return
    // The configuration may have changed during the query.
    const latest = performance.now() + server.startTimeoutMs
    do await query(server, session, capabilities)
    while (entryNow() === undefined && performance.now() < latest)
  }

  return {
    readUnlessStored,
    /** Queries one server unless it was read in this process. Resolves to true if it was queried. */
    async readUnlessCurrent(
      server: ServerConfig,
      session: Session,
      capabilities: JsonObject,
    ): Promise<boolean> {
      const entry = catalog.entryOf(qualifiedName(server))
      if (entry && catalog.isCurrent(entry)) return false
      await query(server, session, capabilities)
      return true
    },
    /**
     * Queries all servers without an entry. Resolves when all have answered or failed, or when no
     * server has answered for `firstListSeconds`, at most twice as long after the first question:
     * servers that hang are waited for once.
     */
    async readMissing(session: Session, capabilities: JsonObject): Promise<void> {
      const { unknown } = viewFor({ session, capabilities })
      const awaited = new Set(unknown.filter((server) => patience.waitMs(server) > 0))
      for (const server of awaited) patience.begin(server)
      const ask = async (server: ServerConfig): Promise<void> => {
        const askedAt = performance.now()
        const isKnown = await readUnlessStored(server, session, capabilities).catch(() => false)
        awaited.delete(server)
        patience.end(server, isKnown !== false, performance.now() - askedAt)
      }
      // Awaited servers come first: only some are queried at the same time.
      const slots = new PQueue({ concurrency: 8, timeout: slotMs })
      for (const server of new Set([...awaited, ...unknown]))
        slots.add(() => ask(server)).catch(() => {})
      await patience.wait(awaited)
      onListed(session)
    },
  }
}

/** Instead of the time when a server was first asked: none waits for it until it answers. */
const hung = Number.NEGATIVE_INFINITY

/** How long lists wait for servers: see `readMissing`. */
function createPatience(quietMs: number) {
  const begun = new WeakMap<ServerConfig, number>()
  const listeners = new Set<() => void>()
  let lastAnswer = 0
  /** Milliseconds that a list still waits for a server, if no server answers. */
  const waitMs = (server: ServerConfig): number => {
    const now = performance.now()
    const first = begun.get(server) ?? now
    return Math.min(Math.max(first, lastAnswer) + quietMs, first + 2 * quietMs) - now
  }
  return {
    waitMs,
    begin(server: ServerConfig): void {
      if (!begun.has(server)) begun.set(server, performance.now())
    },
    /** One that answers, or fails soon and has not hung, is waited for again at its next start. */
    end(server: ServerConfig, isKnown: boolean, tookMs: number): void {
      lastAnswer = performance.now()
      if (isKnown) begun.delete(server)
      else if (tookMs >= quietMs) begun.set(server, hung)
      else if (begun.get(server) !== hung) begun.delete(server)
      for (const goOn of listeners) goOn()
    },
    /** Resolves when none of the servers is waited for any longer. */
    async wait(servers: ReadonlySet<ServerConfig>): Promise<void> {
      for (;;) {
        const ms = Math.max(0, ...[...servers].map(waitMs))
        if (ms === 0) return
        await new Promise<void>((resolve) => {
          const timer = setTimeout(goOn, ms)
          function goOn(): void {
            clearTimeout(timer)
            listeners.delete(goOn)
            resolve()
          }
          listeners.add(goOn)
        })
      }
    },
  }
}
