import { type LogLevels, lowerLogLevel } from '#servers/connection/log-levels'
import { showsApps } from '#servers/protocol/apps'
import type { Message } from '#servers/protocol/message'
import type { Session } from '#servers/protocol/request-context'
import type { ServerAccount } from '#servers/protocol/server-account'
import type { ItemKind } from '../catalog/entries/catalog-entry.ts'
import type { Clients } from '../catalog/gateway.ts'
import type { Instance } from '../upstream/instance.ts'
import type { Instances } from '../upstream/instances.ts'
import { changeOf } from './server-notices.ts'
import type { Subscribers } from './subscribers.ts'

interface ConnectedClientsOptions {
  instances: Instances
  subscribers: Subscribers
  logs: LogLevels
  canSee: (session: Session, unit: ServerAccount) => boolean
  /** Clients do not see the tools of servers and get no changes of them. */
  listsTools: (session: Session) => boolean
}

export class ConnectedClients implements Clients {
  readonly sessions: Set<Session> = new Set()
  readonly #options: ConnectedClientsOptions
  /** Sessions that have requested a list. */
  readonly #listSessions = new WeakSet<Session>()

  constructor(options: ConnectedClientsOptions) {
    this.#options = options
  }

  join(session: Session): void {
    this.sessions.add(session)
  }

  listen(session: Session): void {
    this.sessions.add(session)
    this.listed(session)
  }

  leave(session: Session): void {
    const { subscribers, logs, instances } = this.#options
    this.sessions.delete(session)
    logs.forget(session)
    for (const instance of subscribers.leave(session))
      void instance.connection?.follow(subscribers.urisOf(instance)).catch(() => {})
    instances.forget(session)
  }

  /** The session has got a list: it is notified of changes from now on. */
  listed(session: Session): void {
    this.#listSessions.add(session)
  }

  async follow(instance: Instance, session: Session, uri: string, alias?: string): Promise<void> {
    const { subscribers } = this.#options
    const undo = subscribers.change(instance, session, uri, alias)
    instance.requests.sessions.add(session)
    try {
      await instance.use((connection) => connection.follow(subscribers.urisOf(instance)))
    } catch (error) {
      if (alias !== undefined) undo()
      throw error
    }
  }

  logLevelOf(session: Session): string | undefined {
    return this.#options.logs.setBy(session)
  }

  setLogLevel(session: Session, level: string): void {
    const { logs, instances } = this.#options
    logs.set(session, level)
    for (const { connection, requests } of instances.all())
      if (connection && requests.sessions.has(session)) void lowerLogLevel(connection, level)
  }

  notifyServers(session: Session, message: Message): void {
    if (message.method === 'notifications/roots/list_changed')
      this.#options.instances.forgetRoots(session)
    for (const { connection, requests } of this.#options.instances.all())
      if (requests.sessions.has(session) && connection?.era === 'legacy') connection.notify(message)
  }

  /** The lists of a unit have changed. A session that waits for its first list gets all of it. */
  unitChanged(kinds: readonly ItemKind[], isNew: boolean, unit: ServerAccount): void {
    const { canSee, listsTools } = this.#options
    const sees = (session: Session): boolean =>
      (!isNew || this.#listSessions.has(session)) && canSee(session, unit)
    const isTools = (kind: ItemKind): boolean => kind === 'tools'
    this.notifyChanges(
      kinds.filter((kind) => !isTools(kind)),
      sees,
    )
    // Tools with apps are listed in every mode.
    this.notifyChanges(
      kinds.filter(isTools),
      (session) => (listsTools(session) || showsApps(session.capabilities)) && sees(session),
    )
  }

  notifyChanges(
    kinds: readonly ItemKind[],
    isNotified: (session: Session) => boolean = () => true,
  ): void {
    for (const method of new Set(kinds.map((kind) => changeOf[kind])))
      for (const session of this.sessions) if (isNotified(session)) session.notify({ method })
  }
}
