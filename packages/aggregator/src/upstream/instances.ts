import type { ServerConfig } from '#servers/config/server-config'
import { anyClient, capabilitiesOf } from '#servers/connection/client-capabilities'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { Era, JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'
import type { Session } from '#servers/protocol/request-context'
import { qualifiedName } from '#servers/protocol/server-account'
import { Instance, type InstanceOptions } from './instance.ts'
import { Questions } from './questions.ts'

/**
 * The instances of all servers. A server that speaks both eras has one of 2025 for clients of 2025
 * whose user or model it may ask, since a request that it sends by itself exists only there.
 */
export class Instances {
  readonly #options: InstanceOptions
  readonly #instances = new Map<string, Instance>()
  readonly #retired = new Set<Instance>()
  /** Units that do not speak 2025. */
  readonly #modernOnly = new Set<string>()
  readonly #questionsOf = oncePer(
    (server: ServerConfig) => new Questions(server, this.#options.asks),
  )

  constructor(options: InstanceOptions) {
    this.#options = options
  }

  /**
   * The instance for a client. One instance serves all clients: a modern server gets their
   * capabilities with each request, and those that can be bridged are declared to a legacy one.
   */
  of(server: ServerConfig, session: Session, clientCapabilities: JsonObject): Instance {
    const era = this.#wantedEra(server, session, clientCapabilities)
    const key = this.#keyOf(server, session, era)
    const cachedInstance = this.#instances.get(key)
    if (cachedInstance !== undefined) return cachedInstance
    if (server.per === 'session') this.#checkNumber(server, session)
    const capabilities = capabilitiesOf(this.#questionsOf(server).declared(anyClient))
    const instance = new Instance(
      server,
      key,
      { era, capabilities, caller: callerKey(session) },
      {
        ...this.#options,
        onReady: (ready, connection) => {
          if (connection.era === 'modern') {
            if (era === 'legacy') this.#modernOnly.add(qualifiedName(server))
            this.#rekey(ready, session)
          }
          this.#options.onReady(ready, connection)
        },
      },
    )
    this.#instances.set(key, instance)
    return instance
  }

  all(): readonly Instance[] {
    return [...this.#instances.values()]
  }

  /** The instances of one unit. */
  named(name: string): readonly Instance[] {
    return this.all().filter(({ server }) => qualifiedName(server) === name)
  }

  /**
   * Removes the instances of a unit whose configuration has changed; they finish their active
   * requests.
   */
  retire(name: string): readonly Instance[] {
    const removed = [...this.#instances].filter(([, { server }]) => qualifiedName(server) === name)
    for (const [key, instance] of removed) {
      this.#instances.delete(key)
      this.#retired.add(instance)
      void instance.retire().then(() => this.#retired.delete(instance))
    }
    return removed.map(([, instance]) => instance)
  }

  forget(session: Session): void {
    for (const [key, instance] of this.#instances) {
      instance.requests.sessions.delete(session)
      if (!key.endsWith(` ${session.id}`)) continue
      this.#instances.delete(key)
      void instance.stop()
    }
  }

  async stop(): Promise<void> {
    const all = [...this.#instances.values(), ...this.#retired]
    await Promise.all(all.map((instance) => instance.stop()))
  }

  /** @throws {AggregatorError} `too_many_instances` if one caller has started enough of them */
  #checkNumber(server: ServerConfig, session: Session): void {
    const { name, maxInstances = defaultMaxInstances } = server
    const caller = callerKey(session)
    const running = this.all().filter(
      (instance) =>
        instance.server.name === name &&
        instance.caller === caller &&
        ['starting', 'ready'].includes(instance.status().state),
    )
    if (running.length < maxInstances) return
    throw new AggregatorError(
      'too_many_instances',
      `${name} has an instance for each session, and ${running.length} run for this caller already. Nothing was called.`,
      `End other sessions, or raise maxInstances of ${name} in the configuration.`,
    )
  }

  /** Undefined if the client can use any. */
  #wantedEra(server: ServerConfig, { era }: Session, capabilities: JsonObject): Era | undefined {
    if (era !== 'legacy' || this.#modernOnly.has(qualifiedName(server))) return undefined
    const usable = capabilitiesOf(this.#questionsOf(server).declared(capabilities))
    return Object.keys(usable).length > 0 ? era : undefined
  }

  /** A server of both eras has an instance of each. */
  #keyOf(server: ServerConfig, session: Session, era: Era | undefined): string {
    const name = qualifiedName(server)
    const isSecond = era === 'legacy' && this.#options.eraOf(name) === 'modern'
    return `${name}${isSecond ? ' legacy' : ''}${ownKey(server, session)}`
  }

  /** Once a server turns out to be modern, its instance serves clients of both eras. */
  #rekey(instance: Instance, session: Session): void {
    const { server } = instance
    const key = qualifiedName(server) + ownKey(server, session)
    if (this.#instances.has(key) || this.#retired.has(instance)) return
    this.#instances.delete(instance.key)
    this.#instances.set(key, instance)
  }
}

const defaultMaxInstances = 8

const callerKey = ({ access, owner }: Session): string => access?.caller ?? owner ?? ''

const ownKey = (server: ServerConfig, session: Session): string =>
  server.per === 'session' ? ` ${session.id}` : ''
