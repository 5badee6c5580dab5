import type { ServerConfig } from '../config/server-config.ts'
import type { Session } from '../protocol/exchange.ts'
import type { Fields } from '../protocol/message.ts'
import { unitName } from '../protocol/unit.ts'
import { abilitiesKey } from '../upstream/connection/abilities.ts'
import { untilGap } from '../upstream/connection/until-gap.ts'
import type { Instance } from '../upstream/instances.ts'
import type { Catalog } from './catalog.ts'
import { offerKinds } from './entries/read-offers.ts'
import type { View } from './view.ts'
import type { Viewer } from './views.ts'

/** Asks servers what they offer. */
export interface Discovery {
  /** One, unless it is known. @throws {AggregatorError} `upstream_down` */
  know(server: ServerConfig, session: Session, capabilities: Fields): Promise<void>
  /** One, even if it is known from an earlier process; whether it was asked. */
  confirm(server: ServerConfig, session: Session, capabilities: Fields): Promise<boolean>
  /** All that were never asked, but for those that hang. */
  discover(session: Session, capabilities: Fields): Promise<void>
}

interface DiscoveryOptions {
  catalog: Catalog
  viewFor: (viewer: Viewer) => View
  instanceOf: (server: ServerConfig, session: Session, capabilities: Fields) => Instance
}

export function createDiscovery({ catalog, viewFor, instanceOf }: DiscoveryOptions): Discovery {
  async function ask(server: ServerConfig, session: Session, capabilities: Fields): Promise<void> {
    const instance = instanceOf(server, session, capabilities)
    // It may want to know roots as soon as it has started.
    instance.admit(session)
    await instance.use((connection) => catalog.confirm(instance, connection))
  }

  async function know(server: ServerConfig, session: Session, capabilities: Fields): Promise<void> {
    const entryNow = () => viewFor({ session, capabilities }).entryOf(server.name)
    const entry = entryNow()
    // A server that had nothing to offer in an earlier process may have lacked something then.
    const isEmpty = entry !== undefined && offerKinds.every((kind) => entry[kind].length === 0)
    if (entry !== undefined && !(isEmpty && !catalog.isConfirmed(entry))) return
    // What was asked may have been replaced by another configuration before it answered.
    const latest = performance.now() + server.startTimeoutMs
    do await ask(server, session, capabilities)
    while (entryNow() === undefined && performance.now() < latest)
  }

  return {
    know,
    async confirm(server, session, capabilities) {
      const entry = catalog.entryOf(unitName(server), abilitiesKey(capabilities))
      if (entry && catalog.isConfirmed(entry)) return false
      await ask(server, session, capabilities)
      return true
    },
    async discover(session, capabilities) {
      const view = viewFor({ session, capabilities })
      const isAnyDone = view.unknown.length < view.servers.length
      await untilGap(view.unknown, (server) => know(server, session, capabilities), { isAnyDone })
    },
  }
}
