import type { Connection } from '#servers/connection/connection'
import { isLoud, type LogLevels, lowerLogLevel } from '#servers/connection/log-levels'
import type { JsonObject, Message } from '#servers/protocol/message'
import type { Session } from '#servers/protocol/request-context'
import { qualifiedName, type ServerAccount } from '#servers/protocol/server-account'
import { taskUri } from '#servers/protocol/tasks'
import type { Catalog } from '../catalog/catalog.ts'
import type { ItemKind } from '../catalog/entries/catalog-entry.ts'
import type { Instance } from '../upstream/instance.ts'
import type { Subscribers } from './subscribers.ts'

export const changeOf: Record<ItemKind, string> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resourceTemplates: 'notifications/resources/list_changed',
  // The extension has no notification of its own.
  skills: 'notifications/resources/list_changed',
}

/** Reports the state of a task to a session, which knows it by this address. */
export type ReportTask = (state: JsonObject, uri: string, session: Session) => void

/** Forwards notifications of servers to sessions. */
export function createServerNotices({
  catalog,
  subscribers,
  logs,
  canSee,
  reportTask,
  onLog,
}: {
  catalog: Catalog
  subscribers: Subscribers
  logs: LogLevels
  /** Sessions get no notifications of servers outside their profile. */
  canSee: (session: Session, server: ServerAccount) => boolean
  reportTask: ReportTask
  onLog: (text: string) => void
}) {
  function pass(instance: Instance, message: Message): void {
    if (Object.values(changeOf).includes(message.method)) {
      const { connection } = instance
      if (connection) void catalog.refresh(instance, connection).catch(() => {})
    } else if (message.method === 'notifications/resources/updated') {
      for (const [session, uri] of subscribers.of(instance, message.params?.['uri']))
        if (canSee(session, instance.server))
          session.notify({ ...message, params: { ...message.params, uri } })
    } else if (message.method === 'notifications/tasks') {
      for (const [session, uri] of subscribers.of(instance, taskUri(message.params?.['taskId'])))
        if (canSee(session, instance.server)) reportTask(message.params ?? {}, uri, session)
    } else if (message.method === 'notifications/message') {
      for (const session of listenersOf(instance)) logTo(session, instance, message)
    } else if (!isOfTheConnection(message))
      for (const session of listenersOf(instance)) session.notify(message)
  }

  /**
   * Empty if it is unknown whose call a message belongs to and the callers have different access.
   */
  function listenersOf(instance: Instance): Session[] {
    const all = [...instance.requests.sessions].filter((session) =>
      canSee(session, instance.server),
    )
    const calling = all.filter((session) => instance.requests.current(session) !== undefined)
    const kinds = new Set(
      calling.map(({ access }) => JSON.stringify([access?.caller, access?.profile])),
    )
    return kinds.size > 1 ? [] : all
  }

  /** Sent with the request it belongs to, if any: not every client opens a separate stream. */
  function logTo(session: Session, instance: Instance, message: Message): void {
    const context = instance.requests.current(session)
    // With several clients, only those with an active request.
    if (context === undefined && instance.requests.sessions.size > 1) return
    const requested = session.era === 'modern' ? context?.passthrough.logLevel : logs.of(session)
    if (requested !== undefined && isLoud(message.params?.['level'], requested))
      (context ?? session).notify(message)
  }

  async function restore(instance: Instance, connection: Connection): Promise<void> {
    const level = logs.lowest(instance.requests.sessions)
    if (level !== undefined) await lowerLogLevel(connection, level)
    const uris = subscribers.urisOf(instance)
    if (uris.length > 0 || connection.era === 'modern') await connection.follow(uris)
    instance.acquire(() => subscribers.urisOf(instance).length > 0)
  }

  return {
    pass,
    /** A new connection: reads its lists, and restores log levels and subscriptions. */
    ready(instance: Instance, connection: Connection): void {
      const onError = ({ message }: Error): void =>
        onLog(`${qualifiedName(instance.server)}: ${message}`)
      void catalog.read(instance, connection).catch(onError)
      void restore(instance, connection).catch(() => {})
    },
  }
}

/** Notifications for our connection, not for clients. */
const isOfTheConnection = ({ method }: Message): boolean =>
  method === 'notifications/subscriptions/acknowledged' ||
  method === 'notifications/cancelled' ||
  // Of 2025: it has the id of the server, which no client knows.
  method === 'notifications/tasks/status'
