import type { ServingSettings } from '../config/aggregator-settings.ts'
import type { ServerConfig } from '../config/server-config.ts'
import type { JsonObject } from '../protocol/message.ts'
import type { Session } from '../protocol/request-context.ts'
import { unitName } from '../protocol/unit.ts'
import { settleOrQuiet } from '../upstream/connection/settle-or-quiet.ts'
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
    await instance.use((connection) => catalog.confirm(instance, connection))
  }

  /** Queries one server unless its lists are known. @throws {AggregatorError} `upstream_down` */
  async function know(
    server: ServerConfig,
    session: Session,
    capabilities: JsonObject,
  ): Promise<void> {
    const entryNow = () => viewFor({ session, capabilities }).entryOf(server.name)
    const entry = entryNow()
    // An empty entry from an earlier process may have been a failure of the server.
    const isEmpty = entry !== undefined && itemKinds.every((kind) => entry[kind].length === 0)
    if (entry !== undefined && !(isEmpty && !catalog.isConfirmed(entry))) return
    // The configuration may have changed during the query.
    const latest = performance.now() + server.startTimeoutMs
    do await query(server, session, capabilities)
    while (entryNow() === undefined && performance.now() < latest)
  }

  return {
    know,
    /** Queries one server unless it was read in this process. Resolves to true if it was queried. */
    async confirm(
      server: ServerConfig,
      session: Session,
      capabilities: JsonObject,
    ): Promise<boolean> {
      const entry = catalog.entryOf(unitName(server), capabilities)
      if (entry && catalog.isConfirmed(entry)) return false
      await query(server, session, capabilities)
      return true
    },
    /**
     * Queries all servers without an entry. Resolves when all have answered or failed, or when none
     * has answered for a while after the first: servers that hang do not delay the others. If
     * there are awaited servers, these decide: they are waited for as long as one of them answers
     * every `firstListSeconds`, at most twice as long from the first time that they were awaited.
     */
    async discover(
      session: Session,
      capabilities: JsonObject,
      isAwaited: (server: ServerConfig) => boolean = () => false,
    ): Promise<void> {
      const view = viewFor({ session, capabilities })
      const awaited = new Set(view.unknown.filter((it) => isAwaited(it) && patience.waitMs(it) > 0))
      for (const server of awaited) patience.begin(server)
      // Awaited servers come first: only some are queried at the same time.
      const ordered = new Set([...awaited, ...view.unknown])
      const ask = (server: ServerConfig): Promise<void> =>
        know(server, session, capabilities).finally(() => {
          if (awaited.delete(server)) patience.answered()
        })
      const isAnyDone = view.unknown.length < view.servers.length
      const settled = settleOrQuiet([...ordered], ask, { isAnyDone })
      if (!view.unknown.some(isAwaited)) await settled
      while ([...awaited].some((server) => patience.waitMs(server) > 0))
        await new Promise((resolve) => setTimeout(resolve, 10))
      onListed(session)
    },
  }
}

/** How long first lists wait for servers: see `discover`. */
function createPatience(quietMs: number) {
  const begun = new WeakMap<ServerConfig, number>()
  let lastAnswer = 0
  return {
    begin: (server: ServerConfig) => begun.set(server, begun.get(server) ?? performance.now()),
    answered() {
      lastAnswer = performance.now()
    },
    /** Milliseconds that a list still waits for a server, if no server answers. */
    waitMs(server: ServerConfig): number {
      const now = performance.now()
      const first = begun.get(server) ?? now
      return Math.min(Math.max(first, lastAnswer) + quietMs, first + 2 * quietMs) - now
    },
  }
}
