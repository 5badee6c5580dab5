import type { ServerConfig } from '../config/server-config.ts'
import type { JsonObject } from '../protocol/message.ts'
import type { Session } from '../protocol/request-context.ts'
import { unitName } from '../protocol/unit.ts'
import { capabilitiesKey } from '../upstream/connection/client-capabilities.ts'
import { settleOrQuiet } from '../upstream/connection/settle-or-quiet.ts'
import type { Instance } from '../upstream/instance.ts'
import type { Catalog } from './catalog.ts'
import { itemKinds } from './entries/list-items.ts'
import type { ToolView } from './tool-view.ts'
import type { Viewer } from './view-cache.ts'

/** Queries the lists of servers. */
export interface Discovery {
  /** Queries one server unless its lists are known. @throws {AggregatorError} `upstream_down` */
  know(server: ServerConfig, session: Session, capabilities: JsonObject): Promise<void>
  /** Queries one server unless it was read in this process. Resolves to true if it was queried. */
  confirm(server: ServerConfig, session: Session, capabilities: JsonObject): Promise<boolean>
  /**
   * Queries all servers without an entry. Resolves when all have answered or failed, or when none
   * has answered for a while after the first: servers that hang do not delay the others.
   */
  discover(session: Session, capabilities: JsonObject): Promise<void>
}

interface DiscoveryOptions {
  catalog: Catalog
  viewFor: (viewer: Viewer) => ToolView
  instanceOf: (server: ServerConfig, session: Session, capabilities: JsonObject) => Instance
  /** A session gets lists from now on. */
  onListed: (session: Session) => void
}

export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { catalog, viewFor, instanceOf, onListed } = options

  async function ask(
    server: ServerConfig,
    session: Session,
    capabilities: JsonObject,
  ): Promise<void> {
    const instance = instanceOf(server, session, capabilities)
    // The server may request roots as soon as it has started.
    instance.admit(session)
    await instance.use((connection) => catalog.confirm(instance, connection))
  }

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
    do await ask(server, session, capabilities)
    while (entryNow() === undefined && performance.now() < latest)
  }

  return {
    know,
    async confirm(server, session, capabilities) {
      const entry = catalog.entryOf(unitName(server), capabilitiesKey(capabilities))
      if (entry && catalog.isConfirmed(entry)) return false
      await ask(server, session, capabilities)
      return true
    },
    async discover(session, capabilities) {
      const view = viewFor({ session, capabilities })
      const isAnyDone = view.unknown.length < view.servers.length
      await settleOrQuiet(view.unknown, (server) => know(server, session, capabilities), {
        isAnyDone,
      })
      onListed(session)
    },
  }
}
