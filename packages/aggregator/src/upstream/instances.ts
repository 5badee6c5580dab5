import type { ServerConfig } from '../config/server-config.ts'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { Exchange, Session } from '../protocol/exchange.ts'
import type { Era, Fields, Message } from '../protocol/message.ts'
import { unitName } from '../protocol/unit.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { abilitiesKey, abilitiesOf } from './connection/abilities.ts'
import type { Connect, Connection } from './connection/connection.ts'
import type { Deadline } from './connection/deadline.ts'
import { createUpstream, type Upstream } from './upstream.ts'

/** An upstream, and who is talking with it now. */
export interface Instance extends Upstream {
  readonly key: string
  /** Who has used it and is still there. */
  readonly sessions: ReadonlySet<Session>
  /** Count a client among them before its first request. */
  admit(session: Session): void
  /** The latest request of a client it works on now. */
  current(session: Session): Exchange | undefined
  /** Until the returned function is called, questions of the server go to this exchange. */
  enter(exchange: Exchange, deadline: Deadline): () => void
  /** The client does not come back. */
  forget(session: Session): void
  /** Takes what is secret out of what it answers. */
  hideIn<T>(value: T): T
}

export interface InstancesOptions {
  connect: Connect
  eraOf(server: string): Era | undefined
  /** An instance is ready: what it offers may have changed. */
  onReady(instance: Instance, connection: Connection): void
  onNotification(instance: Instance, message: Message): void
  onLog(text: string): void
  secrets: Secrets
  /** Told of each call and start of a server, or of one of its accounts. */
  onCount?: ((server: string, what: 'calls' | 'starts') => void) | undefined
  onStderr?: ((server: string, line: string) => void) | undefined
}

/** The instances of all servers. */
export interface Instances {
  /**
   * The one for a client. Modern servers are told at each request what its client can be asked, and
   * need one instance; legacy ones are told once, and have one for each set of abilities.
   */
  of(server: ServerConfig, session: Session, capabilities: Fields): Instance
  all(): readonly Instance[]
  /** Those of one server, or of one of its accounts. */
  named(name: string): readonly Instance[]
  /** Those of a server that is no more, or not as it was: they finish what they are doing. */
  retire(name: string): readonly Instance[]
  forget(session: Session): void
  stop(): Promise<void>
}

interface Visit {
  exchange: Exchange
  deadline: Deadline
  /** Resolves when it is over. */
  left: Promise<undefined>
}

export function createInstances(options: InstancesOptions): Instances {
  const instances = new Map<string, Instance>()
  const retired = new Set<Instance>()

  function keyOf(server: ServerConfig, session: Session, capabilities: Fields): string {
    const name = unitName(server)
    const own = ownKey(server, session)
    if (options.eraOf(name) === 'modern') return name + own
    return `${name} ${abilitiesKey(capabilities)}${own}`
  }

  const ownKey = (server: ServerConfig, session: Session): string =>
    server.isolate ? ` ${session.id}` : ''

  /** Of a modern server, as it turned out, one instance is enough for clients of all abilities. */
  function rekey(instance: Instance, server: ServerConfig, session: Session): void {
    const key = unitName(server) + ownKey(server, session)
    if (instances.has(key) || retired.has(instance)) return
    instances.delete(instance.key)
    instances.set(key, instance)
  }

  return {
    of(server, session, capabilities) {
      const key = keyOf(server, session, capabilities)
      let instance = instances.get(key)
      if (instance === undefined) {
        instance = createInstance(server, key, abilitiesOf(capabilities), {
          ...options,
          onReady(ready, connection) {
            if (connection.era === 'modern') rekey(ready, server, session)
            options.onReady(ready, connection)
          },
        })
        instances.set(key, instance)
      }
      return instance
    },
    all: () => [...instances.values()],
    named: (name) => [...instances.values()].filter(({ server }) => unitName(server) === name),
    forget(session) {
      for (const [key, instance] of instances) {
        instance.forget(session)
        if (!key.endsWith(` ${session.id}`)) continue
        instances.delete(key)
        void instance.stop()
      }
    },
    retire(name) {
      const gone = [...instances].filter(([, { server }]) => unitName(server) === name)
      for (const [key, instance] of gone) {
        instances.delete(key)
        retired.add(instance)
        void instance.retire().then(() => retired.delete(instance))
      }
      return gone.map(([, instance]) => instance)
    },
    async stop() {
      const all = [...instances.values(), ...retired]
      await Promise.all(all.map((instance) => instance.stop()))
    },
  }
}

function createInstance(
  server: ServerConfig,
  key: string,
  capabilities: Fields,
  options: InstancesOptions,
): Instance {
  const visits = new Set<Visit>()
  const sessions = new Set<Session>()
  const upstream = createUpstream({
    server,
    capabilities,
    connect: options.connect,
    era: () => options.eraOf(unitName(server)),
    onLog: options.onLog,
    hide: options.secrets.hide,
    onStderr: (line) => options.onStderr?.(unitName(server), line),
    onCount: (what) => options.onCount?.(unitName(server), what),
    onReady: (connection) => options.onReady(instance, connection),
    onNotification: (message) => {
      // Of several calls it cannot be told which one lives.
      if (visits.size === 1) for (const { deadline } of visits) deadline.alive()
      options.onNotification(instance, options.secrets.hideIn(message))
    },
    onAsk: (message, signal) => ask(options.secrets.hideIn(message), signal),
  })

  const visitsOf = (session: Session): Visit[] =>
    [...visits].filter(({ exchange }) => exchange.session === session)

  /** Whoever is asked must be the one whose call the server is working on. */
  async function ask(message: Message, signal: AbortSignal): Promise<Fields> {
    const callers = [...new Set([...visits].map(({ exchange }) => exchange.session))]
    const [caller] = callers
    if (caller && callers.length === 1) {
      const answer = await askCaller(caller, message, signal)
      if (answer !== undefined) return answer
    }
    const [session] = sessions
    if (visits.size === 0 && sessions.size === 1 && session?.ask)
      return session.ask(message, signal)
    throw new AggregatorError(
      'cannot_ask',
      visits.size > 1
        ? `${message.method}: several clients are calling, and it cannot be told whom ${server.name} asks`
        : `${message.method}: no client that could be asked is calling ${server.name}`,
      `With "isolate": true in its configuration each client has an instance of ${server.name} of its own.`,
    )
  }

  /**
   * By the latest of the client's calls, since a question does not say of which it is. If that call
   * ends before the answer, another asks again.
   */
  async function askCaller(
    session: Session,
    message: Message,
    signal: AbortSignal,
  ): Promise<Fields | undefined> {
    for (;;) {
      const waiting = visitsOf(session)
      // Without a session behind it, who counts as one client may be several.
      const isUnsure = server.isolate && session.ask === undefined && session.era === 'modern'
      const visit = waiting.at(-1)
      if (visit === undefined || (isUnsure && waiting.length > 1)) return undefined
      const resume = visit.deadline.pause()
      try {
        const asked = AbortSignal.any([signal, visit.deadline.signal])
        const answer = await Promise.race([visit.exchange.ask(message, asked), visit.left])
        if (answer !== undefined) return answer
      } finally {
        resume()
      }
    }
  }

  const instance: Instance = {
    key,
    sessions,
    server,
    capabilities,
    get connection() {
      return upstream.connection
    },
    use: upstream.use,
    noteCall: upstream.noteCall,
    keep: upstream.keep,
    suspect: upstream.suspect,
    status: upstream.status,
    retire: upstream.retire,
    stop: upstream.stop,
    enter(exchange, deadline) {
      let leave = (_value: undefined): void => {}
      const left = new Promise<undefined>((resolve) => {
        leave = resolve
      })
      const visit: Visit = { exchange, deadline, left }
      visits.add(visit)
      sessions.add(exchange.session)
      return () => {
        visits.delete(visit)
        leave(undefined)
      }
    },
    admit: (session) => void sessions.add(session),
    current: (session) => visitsOf(session).at(-1)?.exchange,
    forget: (session) => void sessions.delete(session),
    hideIn: options.secrets.hideIn,
  }
  return instance
}
