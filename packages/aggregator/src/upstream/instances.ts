import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { ServerConfig } from '#servers/config/server-config'
import { anyClient, capabilitiesOf } from '#servers/connection/client-capabilities'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { Era, JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'
import { connectionOf, type RequestContext, type Session } from '#servers/protocol/request-context'
import { qualifiedName } from '#servers/protocol/server-account'
import { Instance, type InstanceOptions } from './instance.ts'
import type { SharedWith } from './known-servers.ts'
import { type Asked, Questions } from './questions.ts'
import { type Sharing, sharingOf } from './sharing.ts'

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
  /** Units that have asked clients of a shared process, and for what. */
  readonly #asking = new Map<string, 'questions' | 'roots'>()
  /** Folders that clients work in, as far as such a unit needs them. */
  readonly #rootsOf = new WeakMap<Session, string>()
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
    const cachedInstance = this.#instances.get(key) ?? this.#adopted(server, session, key)
    if (cachedInstance !== undefined) return cachedInstance
    if (server.per === 'session') this.#checkNumber(server, session)
    const capabilities = capabilitiesOf(this.#questionsOf(server).declared(anyClient))
    const { connect } = this.#options
    const cwd = this.#folderOf(server, session)
    const instance = new Instance(
      server,
      key,
      { era, capabilities, caller: callerKey(session) },
      {
        ...this.#options,
        connect: (options) => connect({ ...options, server: inFolder(options.server, cwd) }),
        onAsked: (question) => {
          this.#asks(question)
          this.#options.onAsked?.(question)
        },
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
    instance.requests.onRoots = (asked, answer) => {
      this.#rootsOf.set(asked, rootsKey(answer))
      this.#keepFor(rootsKey(answer), instance)
    }
    return instance
  }

  /** Learns the folders of a client before it uses a server that asks for them. */
  async prepare(server: ServerConfig, context: RequestContext): Promise<void> {
    const { session, capabilities } = context
    const isNeeded =
      this.#asking.get(qualifiedName(server)) === 'roots' &&
      capabilities['roots'] !== undefined &&
      !this.#rootsOf.has(session)
    if (!isNeeded || this.#sharingOf(server, session) === 'session') return
    const answer = await context.ask({ method: 'roots/list' }, context.signal)
    this.#rootsOf.set(session, rootsKey(answer))
  }

  /** The folders of a client have changed. */
  forgetRoots(session: Session): void {
    this.#rootsOf.delete(session)
  }

  /** With whom clients of a shared process share an instance. */
  sharing(server: ServerConfig): Sharing {
    return sharingOf(server, this.#options.toolsOf?.(qualifiedName(server)))
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
    return `${name}${isSecond ? ' legacy' : ''}${this.#ownKey(server, session)}`
  }

  #sharingOf(server: ServerConfig, session: Session): SharedWith {
    // Over HTTP, and in a process of its own, a client is in no folder.
    if (session.access?.folder === undefined) return server.per === 'session' ? 'session' : 'all'
    return this.sharing(server).with
  }

  #ownKey(server: ServerConfig, session: Session): string {
    const sharing = this.#sharingOf(server, session)
    if (sharing === 'session') return ` ${session.id}`
    const isAsking = this.#asking.get(qualifiedName(server)) === 'roots'
    const ofRoots = (isAsking && this.#rootsOf.get(session)) || ''
    return sharing === 'all' ? ofRoots : ` in ${session.access?.folder}${ofRoots}`
  }

  /** An instance that knows the folders of a client is for those that have the same. */
  #keepFor(roots: string, instance: Instance): void {
    const { server } = instance
    const [key] = [...this.#instances].find(([, one]) => one === instance) ?? []
    const isShared = this.#asking.get(qualifiedName(server)) === 'roots' && server.per !== 'session'
    if (key === undefined || !isShared || key.includes(' at ') || roots === '') return
    this.#instances.delete(key)
    this.#instances.set(key + roots, instance)
  }

  #asks({ server, session, method, isRefused }: Asked): void {
    const name = qualifiedName(server)
    // A question of a later server is part of a request.
    if (session.access?.folder === undefined || isRefused || this.#options.eraOf(name) === 'modern')
      return
    if (!this.#asking.has(name))
      this.#options.onLog(
        `${name} asks its clients, so sessions take turns: it gets calls of one session at a time. With "maxConcurrency" in its configuration it gets as many as that.`,
      )
    if (method === 'roots/list' || !this.#asking.has(name))
      this.#asking.set(name, method === 'roots/list' ? 'roots' : 'questions')
  }

  #folderOf(server: ServerConfig, session: Session): string | undefined {
    const { folder } = session.access ?? {}
    if (folder === undefined) return undefined
    return this.#sharingOf(server, session) === 'all' ? homedir() : folder
  }

  /**
   * Before its tools and questions were known, the lists were read from an instance for more
   * sessions.
   */
  #adopted(server: ServerConfig, session: Session, key: string): Instance | undefined {
    const { folder } = session.access ?? {}
    if (folder === undefined) return undefined
    const name = qualifiedName(server)
    for (const other of [`${name} in ${folder}`, name]) {
      const instance = this.#instances.get(other)
      if (other === key || instance === undefined) continue
      const isOthers = [...instance.requests.sessions].some((one) => one !== session)
      if (isOthers && instance.status().calls > 0) continue
      this.#instances.delete(other)
      this.#instances.set(key, instance)
      instance.requests.oweRoots()
      return instance
    }
    return undefined
  }

  /** Once a server turns out to be modern, its instance serves clients of both eras. */
  #rekey(instance: Instance, session: Session): void {
    const { server } = instance
    const key = qualifiedName(server) + this.#ownKey(server, session)
    if (this.#instances.has(key) || this.#retired.has(instance)) return
    this.#instances.delete(instance.key)
    this.#instances.set(key, instance)
  }
}

const defaultMaxInstances = 8

const callerKey = (session: Session): string =>
  session.access?.caller ?? session.owner ?? connectionOf(session)

/** Empty for a client without folders. */
function rootsKey({ roots }: JsonObject): string {
  const text = JSON.stringify(roots ?? [])
  return text === '[]' ? '' : ` at ${createHash('sha256').update(text).digest('hex')}`
}

const inFolder = (server: ServerConfig, folder: string | undefined): ServerConfig =>
  folder === undefined || server.type !== 'stdio'
    ? server
    : { ...server, cwd: resolve(folder, server.cwd ?? '.') }
