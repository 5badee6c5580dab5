import { isLoud, type LogLevels, lowerLogLevel } from '../call/log-levels.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { OfferKind } from '../catalog/entries/catalog-entry.ts'
import type { Session } from '../protocol/exchange.ts'
import type { Message } from '../protocol/message.ts'
import type { Unit } from '../protocol/unit.ts'
import type { Connection } from '../upstream/connection/connection.ts'
import type { Instance } from '../upstream/instances.ts'
import type { Followers } from './followers.ts'

/** What servers say without being asked, and who hears of it. */
export interface ServerNotices {
  pass(instance: Instance, message: Message): void
  /** What a fresh process has to be told again. */
  restore(instance: Instance, connection: Connection): Promise<void>
}

export const changeOf: Record<OfferKind, string> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resourceTemplates: 'notifications/resources/list_changed',
}

export function createServerNotices({
  catalog,
  followers,
  logs,
  canSee,
}: {
  catalog: Catalog
  followers: Followers
  logs: LogLevels
  /** What is outside a profile is not heard of either. */
  canSee: (session: Session, server: Unit) => boolean
}): ServerNotices {
  function pass(instance: Instance, message: Message): void {
    if (Object.values(changeOf).includes(message.method)) {
      const { connection } = instance
      if (connection) void catalog.refresh(instance, connection).catch(() => {})
    } else if (message.method === 'notifications/resources/updated') {
      for (const session of followers.of(instance, message.params?.['uri']))
        if (canSee(session, instance.server)) session.notify(message)
    } else if (message.method === 'notifications/message') {
      for (const session of listenersOf(instance)) logTo(session, instance, message)
    } else if (!isOfTheConnection(message))
      for (const session of listenersOf(instance)) session.notify(message)
  }

  /** None where it cannot be told whose call a message is about, and they may not know of each other. */
  function listenersOf(instance: Instance): Session[] {
    const all = [...instance.sessions].filter((session) => canSee(session, instance.server))
    const calling = all.filter((session) => instance.current(session) !== undefined)
    const kinds = new Set(
      calling.map(({ access }) => JSON.stringify([access?.caller, access?.profile])),
    )
    return kinds.size > 1 ? [] : all
  }

  /** With the request it belongs to where there is one, since not every client listens beside it. */
  function logTo(session: Session, instance: Instance, message: Message): void {
    const exchange = instance.current(session)
    // Of several clients, only those who are calling.
    if (exchange === undefined && instance.sessions.size > 1) return
    const wanted = session.era === 'modern' ? exchange?.logLevel : logs.of(session)
    if (wanted !== undefined && isLoud(message.params?.['level'], wanted))
      (exchange ?? session).notify(message)
  }

  async function restore(instance: Instance, connection: Connection): Promise<void> {
    const level = logs.lowest(instance.sessions)
    if (level !== undefined) await lowerLogLevel(connection, level)
    const uris = followers.urisOf(instance)
    if (uris.length > 0 || connection.era === 'modern') await connection.follow(uris)
    instance.keep(() => followers.urisOf(instance).length > 0)
  }

  return { pass, restore }
}

/** What a server says to us, not to our clients. */
const isOfTheConnection = ({ method }: Message): boolean =>
  method === 'notifications/subscriptions/acknowledged' || method === 'notifications/cancelled'
