import type { Tracing } from '#base/tracing'
import type { Journal } from '#journal/journal'
import type { SignIns } from '#oauth/sign-ins'
import type { ServingSettings } from '#servers/config/aggregator-settings'
import type { Configured, Replaced } from '#servers/config/server-config'
import type { AskKind } from '#servers/config/server-entry'
import type { Connect, Environment } from '#servers/connection/connection'
import type { JsonObject, Message } from '#servers/protocol/message'
import type { Remedies } from '#servers/protocol/remedies'
import type { Access, Mode } from '#servers/protocol/request-context'
import type { SecretSources } from '#servers/secrets/secret-sources'
import type { ApprovalStore } from '../call/approval/approval-store.ts'
import type { EffectsOptions } from '../call/effects/effects.ts'
import type { Explanation } from '../call/explain-call.ts'
import type { JudgedCall } from '../call/judge-recent.ts'
import type { SharedLimits } from '../call/limits/shared-limits.ts'
import type { RequestedCall } from '../call/pipeline.ts'
import type { Budget } from '../call/results/document.ts'
import type { ResultStore } from '../call/results/result-store.ts'
import type { ResultFiles } from '../call/results/tiered-result-store.ts'
import type { CatalogStore } from '../catalog/entries/catalog-store.ts'
import type { Gateway } from '../catalog/gateway.ts'
import type { PinStore } from '../catalog/trust/pin.ts'
import type { TrustOptions } from '../catalog/trust/trust.ts'
import type { BatchLimits } from '../tools/batch/batch-limits.ts'
import type { Receipt } from '../tools/list-modes/receipt.ts'
import type { AnswerClient } from './answer-client.ts'
import type { ConnectionOptions, Endpoint } from './create-endpoint.ts'
import type { HandlerDeps } from './methods/handler-deps.ts'
import type { PlainRequests } from './plain-request.ts'

/** Configuration, stores and hooks of an aggregator; all but `servers` have defaults. */
export interface AggregatorOptions extends Configured, ServingSettings {
  /** How tools are listed. Default `meta`. */
  mode?: Mode
  /** Prefix names with the name of their server. Default true. */
  prefix?: boolean
  catalogStore?: CatalogStore
  resultStore?: ResultStore
  /** Also writes long results as files for agents on this machine. Default: none. */
  resultFiles?: ResultFiles | undefined
  /** The largest reply. */
  results?: Partial<Budget>
  /** First pages of tools' results. */
  firstPages?: Partial<Budget>
  batch?: Partial<BatchLimits>
  /** Counts calls, tokens and slots across processes. Default: in this process. */
  sharedLimits?: SharedLimits | undefined
  /** Id of this process among others that share its state: eight digits and lower-case letters. */
  replica?: string | undefined
  /** Pin the definitions of tools, hold new ones, and scan them. Default: true, `allow`, true. */
  trust?:
    | (Partial<Pick<TrustOptions, 'pin' | 'newTools' | 'scan' | 'asks'>> & {
        /** Write what is held to the log and the journal. Default true. */
        reports?: boolean
      })
    | undefined
  pinStore?: PinStore
  approvalStore?: ApprovalStore
  journal?: Journal
  /** Finds calls without a known outcome, so that they are not sent twice. Default: none are. */
  effects?: Pick<EffectsOptions, 'find' | 'holdRepeatsMinutes' | 'writers'> | undefined
  /** What servers may ask clients if they have no `asks`. Default: all. */
  asks?: readonly AskKind[] | undefined
  /** Traces requests; servers get trace contexts of their own. */
  tracing?: Tracing | undefined
  /** Looks up `${file:…}`, `${keychain:…}` and `${command:…}`. Default: none. */
  secretSources?: SecretSources
  /** Tokens for servers with OAuth. */
  signIns?: SignIns | undefined
  /** Replaces sentences of errors, so that they name the commands of this program. */
  remedies?: Partial<Remedies> | undefined
  /** Name and version shown to clients. */
  identity?: { name: string; version: string }
  /** What processes of servers inherit is taken from it. Default: that of this process. */
  environment?: Environment | undefined
  /** Connects to servers. Default: the SDK's client. */
  connect?: Connect
  /** Called with one line about servers and errors, redacted. */
  onLog?: (text: string) => void
  /** Called with the lines that servers write to their standard error, redacted. */
  onStderr?: ((server: string, line: string) => void) | undefined
}

interface InProcessOptions {
  access?: Access | undefined
  signal?: AbortSignal | undefined
  /** Name of the caller in the journal. Default `within`. */
  as?: string | undefined
  /** List mode of this request. Default: that of the aggregator. */
  mode?: Mode | undefined
}

/** Many MCP servers as one. */
export interface Aggregator {
  readonly replica: string | undefined
  readonly identity: { name: string; version: string }
  readonly gateway: Gateway
  readonly deps: HandlerDeps
  readonly requests: PlainRequests
  /** Answers a request of a client, which may not have passed the SDK. */
  readonly answer: AnswerClient
  /**
   * Creates an SDK server for one connection, to be connected to a transport; with `session`, for
   * one request of a client without connections.
   */
  createServer(options: ConnectionOptions): Endpoint
  /** Answers a request of this process, as a client without capabilities. */
  request(message: Message, options?: InProcessOptions): Promise<JsonObject>
  /**
   * Token costs of the list modes with these servers. Servers without an entry are queried first
   * unless `ask` is false; `silent` are the servers that remain unknown.
   */
  receipt(options?: {
    access?: Access | undefined
    ask?: boolean
  }): Promise<{ receipt: Receipt; silent: string[] }>
  /** What would happen to a call of a client, and why; calls nothing. */
  explain(requested: RequestedCall, access?: Access): Promise<Explanation>
  /**
   * Which of the last 100 calls of this process the rules of a setting would have met, the newest
   * first. `settings` are like `aggregator.permissions`. @throws {AggregatorError} `bad_argument`
   */
  judgeRecent(settings: unknown): Promise<JudgedCall[]>
  /**
   * Starts a server, or one of its accounts, even if it was stopped. @throws {Error} why it cannot
   * start
   */
  start(server: Configured['servers'][number]): Promise<void>
  /** Replaces the configuration; only servers that are started differently are restarted. */
  replace(configured: Configured): Replaced
  /** Stops all servers. */
  close(): Promise<void>
}
