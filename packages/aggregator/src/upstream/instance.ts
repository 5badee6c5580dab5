import type { ServerConfig } from '#servers/config/server-config'
import type { AskKind } from '#servers/config/server-entry'
import type { Connect, Connection } from '#servers/connection/connection'
import type { Era, JsonObject, Message } from '#servers/protocol/message'
import { qualifiedName } from '#servers/protocol/server-account'
import type { Redactor } from '#servers/secrets/redactor'
import { ActiveRequests } from './active-requests.ts'
import { type Asked, Questions } from './questions.ts'
import { Upstream } from './upstream.ts'

export interface InstanceOptions {
  connect: Connect
  eraOf(server: string): Era | undefined
  /** The tools of a unit, as far as they are known. */
  toolsOf?(unit: string): readonly JsonObject[] | undefined
  /** The era, unless the server is to be asked for it at its next start. */
  knownEraOf(server: string): Era | undefined
  /** An instance is ready; its lists may have changed. */
  onReady(instance: Instance, connection: Connection): void
  onNotification(instance: Instance, message: Message): void
  onLog(text: string): void
  secrets: Redactor
  /** What servers may ask clients if they have no `asks`. Default: all. */
  asks?: readonly AskKind[] | undefined
  onAsked?: ((question: Asked) => void) | undefined
  /** Called at each call and start of a unit. */
  onCount?: ((server: string, what: 'calls' | 'starts') => void) | undefined
  onStderr?: ((server: string, line: string) => void) | undefined
}

interface InstanceOf {
  era: Era | undefined
  /** Declared client capabilities. */
  capabilities: JsonObject
  /** Whose instance it is, with `per: "session"`. */
  caller: string
}

/** An upstream with the sessions that use it. */
export class Instance extends Upstream {
  readonly key: string
  readonly caller: string
  /** Declared client capabilities. */
  readonly capabilities: JsonObject
  /** The era that is spoken if the server speaks it; undefined: the newest. */
  readonly wantedEra: Era | undefined
  readonly #secrets: Redactor
  /** What it may ask. */
  readonly questions: Questions
  /** What it works on, and the connected sessions that have used it. */
  readonly requests: ActiveRequests

  constructor(
    server: ServerConfig,
    key: string,
    { era, capabilities, caller }: InstanceOf,
    options: InstanceOptions,
  ) {
    const name = qualifiedName(server)
    const { connect, knownEraOf, secrets } = options
    const questions = new Questions(server, options.asks, options.onAsked)
    const requests = new ActiveRequests(server, questions)
    super({
      server,
      capabilities,
      connect,
      era: () => era ?? knownEraOf(name),
      redact: secrets.redact,
      events: {
        onReady: (connection) => options.onReady(this, connection),
        onLog: options.onLog,
        onCount: (what) => options.onCount?.(name, what),
        onStderr: (line) => options.onStderr?.(name, line),
        onAsk: (message, signal) => requests.ask(secrets.redactIn(message), signal),
        onNotification: (message) => {
          requests.alive()
          options.onNotification(this, secrets.redactIn(message))
        },
      },
    })
    this.key = key
    this.caller = caller
    this.capabilities = capabilities
    this.wantedEra = era
    this.#secrets = secrets
    this.questions = questions
    this.requests = requests
  }

  /** Replaces secrets in results. */
  redactIn<T>(value: T): T {
    return this.#secrets.redactIn(value)
  }
}
