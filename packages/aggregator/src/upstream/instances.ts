import type { ServerConfig } from '../config/server-config.ts'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { Era, JsonObject, Message } from '../protocol/message.ts'
import type { RequestContext, Session } from '../protocol/request-context.ts'
import { unitName } from '../protocol/unit.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { capabilitiesKey, capabilitiesOf } from './connection/client-capabilities.ts'
import type { Connect, Connection } from './connection/connection.ts'
import type { Deadline } from './connection/deadline.ts'
import { createUpstream, type Upstream } from './upstream.ts'

/** An upstream with the sessions that use it. */
export interface Instance extends Upstream {
  readonly key: string
  /** Connected sessions that have used it. */
  readonly sessions: ReadonlySet<Session>
  /** Adds a session before its first request. */
  admit(session: Session): void
  /** The session's latest active request. */
  current(session: Session): RequestContext | undefined
  /** Requests of the server go to this client request until the returned function is called. */
  begin(context: RequestContext, deadline: Deadline): () => void
  /** The session has ended. */
  forget(session: Session): void
  /** Replaces secrets in results. */
  redactIn<T>(value: T): T
}

export interface InstancesOptions {
  connect: Connect
  eraOf(server: string): Era | undefined
  /** An instance is ready; its lists may have changed. */
  onReady(instance: Instance, connection: Connection): void
  onNotification(instance: Instance, message: Message): void
  onLog(text: string): void
  secrets: Redactor
  /** Called at each call and start of a unit. */
  onCount?: ((server: string, what: 'calls' | 'starts') => void) | undefined
  onStderr?: ((server: string, line: string) => void) | undefined
}

/** The instances of all servers. */
export interface Instances {
  /**
   * The instance for a client. One instance of a modern server serves all clients, since it gets
   * the client's capabilities with each request. A legacy server has one instance for each set of
   * capabilities.
   */
  of(server: ServerConfig, session: Session, capabilities: JsonObject): Instance
  all(): readonly Instance[]
  /** The instances of one unit. */
  named(name: string): readonly Instance[]
  /**
   * Removes the instances of a unit whose configuration has changed; they finish their active
   * requests.
   */
  retire(name: string): readonly Instance[]
  forget(session: Session): void
  stop(): Promise<void>
}

interface ActiveRequest {
  context: RequestContext
  deadline: Deadline
  /** Resolves when the request is over. */
  left: Promise<undefined>
}

export function createInstances(options: InstancesOptions): Instances {
  const instances = new Map<string, Instance>()
  const retired = new Set<Instance>()

  function keyOf(server: ServerConfig, session: Session, capabilities: JsonObject): string {
    const name = unitName(server)
    const own = ownKey(server, session)
    if (options.eraOf(name) === 'modern') return name + own
    return `${name} ${capabilitiesKey(capabilities)}${own}`
  }

  const ownKey = (server: ServerConfig, session: Session): string =>
    server.isolate ? ` ${session.id}` : ''

  /** Once a server turns out to be modern, its instance serves clients with any capabilities. */
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
        instance = createInstance(server, key, capabilitiesOf(capabilities), {
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
      const removed = [...instances].filter(([, { server }]) => unitName(server) === name)
      for (const [key, instance] of removed) {
        instances.delete(key)
        retired.add(instance)
        void instance.retire().then(() => retired.delete(instance))
      }
      return removed.map(([, instance]) => instance)
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
  capabilities: JsonObject,
  options: InstancesOptions,
): Instance {
  const activeRequests = new Set<ActiveRequest>()
  const sessions = new Set<Session>()
  const upstream = createUpstream({
    server,
    capabilities,
    connect: options.connect,
    era: () => options.eraOf(unitName(server)),
    onLog: options.onLog,
    redact: options.secrets.redact,
    onStderr: (line) => options.onStderr?.(unitName(server), line),
    onCount: (what) => options.onCount?.(unitName(server), what),
    onReady: (connection) => options.onReady(instance, connection),
    onNotification: (message) => {
      // With several active requests it is unknown which one the message is about.
      if (activeRequests.size === 1) for (const { deadline } of activeRequests) deadline.alive()
      options.onNotification(instance, options.secrets.redactIn(message))
    },
    onAsk: (message, signal) => ask(options.secrets.redactIn(message), signal),
  })

  const activeOf = (session: Session): ActiveRequest[] =>
    [...activeRequests].filter(({ context }) => context.session === session)

  /** Asks the client whose request the server is working on. */
  async function ask(message: Message, signal: AbortSignal): Promise<JsonObject> {
    const callers = [...new Set([...activeRequests].map(({ context }) => context.session))]
    const [caller] = callers
    if (caller && callers.length === 1) {
      const answer = await askCaller(caller, message, signal)
      if (answer !== undefined) return answer
    }
    const [session] = sessions
    if (activeRequests.size === 0 && sessions.size === 1 && session?.ask)
      return session.ask(message, signal)
    throw new AggregatorError(
      'cannot_ask',
      activeRequests.size > 1
        ? `${message.method}: several clients are calling ${server.name}, and it is unknown which one the server asks.`
        : `${message.method}: no client that can be asked is calling ${server.name}.`,
      `Set "isolate": true in the configuration of ${server.name} to give each client its own instance.`,
    )
  }

  /**
   * Asks through the client's latest request, since the server's request does not name one. If that
   * request ends before the answer, the next one asks again.
   */
  async function askCaller(
    session: Session,
    message: Message,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    for (;;) {
      const waiting = activeOf(session)
      // Without a session of the protocol, one session may stand for several clients.
      const isUnsure = server.isolate && session.ask === undefined && session.era === 'modern'
      const visit = waiting.at(-1)
      if (visit === undefined || (isUnsure && waiting.length > 1)) return undefined
      const resume = visit.deadline.pause()
      try {
        const eitherSignal = AbortSignal.any([signal, visit.deadline.signal])
        const answer = await Promise.race([visit.context.ask(message, eitherSignal), visit.left])
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
    recordCall: upstream.recordCall,
    acquire: upstream.acquire,
    suspect: upstream.suspect,
    status: upstream.status,
    retire: upstream.retire,
    stop: upstream.stop,
    begin(context, deadline) {
      let leave = (_value: undefined): void => {}
      const left = new Promise<undefined>((resolve) => {
        leave = resolve
      })
      const visit: ActiveRequest = { context, deadline, left }
      activeRequests.add(visit)
      sessions.add(context.session)
      return () => {
        activeRequests.delete(visit)
        leave(undefined)
      }
    },
    admit: (session) => void sessions.add(session),
    current: (session) => activeOf(session).at(-1)?.context,
    forget: (session) => void sessions.delete(session),
    redactIn: options.secrets.redactIn,
  }
  return instance
}
