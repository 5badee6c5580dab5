import type { Span } from '#base/tracing'
import type { Cancellable } from './cancellation.ts'
import type { Era, JsonObject, Message } from './message.ts'

/** In `_meta`: the handle of a session, as the result of `tools/list` names it. */
export const sessionKey = 'io.github.pith-mcp/session'

/**
 * A connected client. Clients without a session of the protocol count as one session if they have
 * the same credential, or without one the same address, unless they repeat a handle.
 */
export interface Session {
  readonly id: string
  /** Whose budget its results take, if it is not its own. */
  readonly owner?: string | undefined
  /** What all clients have that this session stands for; undefined for a single client. */
  readonly sharedBy?: 'credential' | 'address' | undefined
  /** A handle with which a client has a session of its own, if its protocol has none. */
  readonly issueHandle?: (() => string) | undefined
  readonly era: Era
  /** When the client connected, in ISO 8601. */
  readonly since?: string | undefined
  /** What the client may see and do. Without it: everything. */
  readonly access?: Access | undefined
  /** Declared by `initialize`; modern clients declare both in each request. */
  readonly capabilities: JsonObject
  readonly clientName?: (() => string | undefined) | undefined
  /** Sends a notification outside any request: list changes, log messages. Must not throw. */
  notify(message: Message): void
  /** Sends the client a request outside any of its own; legacy only. */
  ask?: ((message: Message, signal: Cancellable) => Promise<JsonObject>) | undefined
}

/** What a client of a shared process does not share with the others; empty for other clients. */
export const connectionOf = ({ id, access }: Session): string =>
  access?.folder === undefined ? '' : id

/** One client request while it is being answered. */
export interface RequestContext {
  readonly session: Session
  /** The name that the client gives itself, without secrets. */
  readonly client?: string | undefined
  /** Aborted when the client cancels. */
  readonly signal: Cancellable
  /** Capabilities of the client for this request. */
  readonly capabilities: JsonObject
  /** What a server gets of this request besides the message. */
  readonly passthrough: Passthrough
  /** The journal record of this request, if it calls a tool. */
  readonly record?: CallRecord | undefined
  /** The trace span of this request, if there is a tracer. */
  readonly span?: Span | undefined
  /**
   * Checks the limits of the client once, and then those of a server. What reaches no server, or
   * waits before, checks those of the client first.
   */
  readonly admit?: Admit | undefined
  /** Sends a notification about this request: progress, log messages. Must not throw. */
  notify(message: Message): void
  /** Sends the client a request while this request is being answered. */
  ask(message: Message, signal: Cancellable): Promise<JsonObject>
}

/** Rejects with `rate_limited` or `budget_spent`. */
export type Admit = (claims?: readonly Claim[]) => Promise<void>

/** A rate of a caller, server or tool that a call counts against; `what` names it to the client. */
export interface Claim {
  key: string
  what: string
  /** Its path in the configuration. */
  setting: string
  rate: { calls: number; seconds: number }
}

interface Passthrough {
  /** `_meta` of the request without the keys of its era; holds trace context, for example. */
  readonly meta: JsonObject | undefined
  /** The lowest level of log messages that the client requested; modern only. */
  readonly logLevel: string | undefined
  /**
   * The client handles a result that asks for input, or a task. Otherwise `ask` asks it, and the
   * result of the task is awaited.
   */
  readonly takes: { readonly inputRequired: boolean; readonly tasks: boolean }
  /** Parameters of a request that the client repeats with input for the server; modern only. */
  readonly retry: JsonObject | undefined
}

/** What decides about the rights of a client. */
export interface Access {
  /** Name of the configured caller whose token the client sent. */
  readonly caller?: string | undefined
  readonly profile?: string | undefined
  /** The caller is not in the configuration; another authenticator accepted it. */
  readonly isGuest?: boolean | undefined
  /** The working folder of a client of a shared process. */
  readonly folder?: string | undefined
  /** How tools are listed for this client. Default: the mode of the aggregator. */
  readonly mode?: Mode | undefined
}

/**
 * How tools are listed: `meta`, a few tools that lead to all others; `list`, names with one line
 * each; `full`, the unchanged definitions.
 */
export const modes = ['meta', 'list', 'full'] as const
/** How tools are listed: by meta-tools, by name and one line, or in full. */
export type Mode = (typeof modes)[number]

/** Collects the facts about one call for its line in the journal. */
export interface CallRecord {
  /** Notes the server and the tool that the call reaches. */
  calls(target: {
    server: { name: string; account?: string | undefined }
    tool: string
    args: unknown
  }): void
  /** Writes that the call is begun, under an id. Rejects if that cannot be written. */
  begin(effect: string): Promise<void>
  /** Notes the approval that the call has or waits for. */
  approval(text: string): void
  /** Notes the server's result. */
  result(result: JsonObject): void
  /** Starts the record of a call made by this one, such as a command of a batch. */
  inner(): CallRecord
  /** Writes the record; `sent` is what the client gets. Resolves to the tokens of `sent`. */
  end(outcome: { sent?: JsonObject; failure?: unknown }): Promise<number>
}
