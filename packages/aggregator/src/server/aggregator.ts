import { type Journal, noJournal } from '../call/journal/journal.ts'
import { createListRecorder } from '../call/journal/record-list.ts'
import { createLimits } from '../call/limits/limits.ts'
import type { SharedRateLimiter } from '../call/limits/redis-rate-limiter.ts'
import type { Budget } from '../call/results/document.ts'
import type { ResultStore } from '../call/results/result-store.ts'
import { createResults } from '../call/results/results.ts'
import { createResultStore } from '../call/results/tiered-result-store.ts'
import type { CatalogStore } from '../catalog/entries/catalog-store.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { createMemoryPinStore, type PinStore } from '../catalog/trust/pin.ts'
import { createTrust } from '../catalog/trust/trust.ts'
import type { Configured, Replaced } from '../config/configured.ts'
import type { LimitSettings } from '../config/limit-settings.ts'
import type { ServerConfig } from '../config/server-config.ts'
import { identity as ownIdentity } from '../identity.ts'
import { validateArguments } from '../protocol/json-schema.ts'
import type { Era, JsonObject, Message } from '../protocol/message.ts'
import type { Remedies } from '../protocol/remedies.ts'
import type { Access, Session } from '../protocol/request-context.ts'
import type { Tracing } from '../protocol/tracing.ts'
import { unitName } from '../protocol/unit.ts'
import { createRedactor } from '../secrets/redactor.ts'
import type { SecretSources } from '../secrets/secret-sources.ts'
import { metaTools } from '../tools/all-meta-tools.ts'
import { type BatchLimits, defaultBatchLimits } from '../tools/batch/batch-limits.ts'
import {
  createListModes,
  type ListModes,
  type Mode,
  modes,
} from '../tools/list-modes/list-modes.ts'
import type { Receipt } from '../tools/list-modes/receipt.ts'
import type { MeaningSearch } from '../tools/search/meaning-search.ts'
import { createToolSearch } from '../tools/search/tool-search.ts'
import type { Connect } from '../upstream/connection/connection.ts'
import type { SignIns } from '../upstream/oauth/sign-ins.ts'
import { withOAuth } from '../upstream/oauth/with-oauth.ts'
import { withSecrets } from '../upstream/with-secrets.ts'
import { createEndpoint, type Endpoint } from './create-endpoint.ts'
import { createGateway } from './gateway.ts'
import { createInProcessContext } from './in-process-context.ts'
import { answerRequest } from './methods/answer-request.ts'
import type { HandlerDeps } from './methods/handler-deps.ts'
import { createSuspensions } from './suspensions.ts'

/** Configuration, stores and hooks of an aggregator; all but `servers` have defaults. */
export interface AggregatorOptions extends Configured {
  /** How tools are listed. Default `meta`. */
  mode?: Mode
  /** Prefix names with the name of their server. Default true. */
  prefix?: boolean
  catalogStore?: CatalogStore
  resultStore?: ResultStore
  results?: Partial<Budget>
  batch?: Partial<BatchLimits>
  limits?: LimitSettings | undefined
  /** Counts calls across processes. Default: in this process. */
  sharedRateLimiter?: SharedRateLimiter | undefined
  /** Pin the definitions of tools, and scan them. Both default to true. */
  trust?: { pin?: boolean | undefined; scan?: boolean | undefined } | undefined
  pinStore?: PinStore
  journal?: Journal
  /** Traces requests; servers get trace contexts of their own. */
  tracing?: Tracing | undefined
  /** Finds tools by meaning, in addition to words. */
  meaning?: MeaningSearch | undefined
  /** Looks up `${file:…}`, `${keychain:…}` and `${command:…}`. Default: none. */
  secretSources?: SecretSources
  /** Tokens for servers with OAuth. */
  signIns?: SignIns | undefined
  /** Replaces sentences of errors, so that they name the commands of this program. */
  remedies?: Partial<Remedies> | undefined
  /** Name and version shown to clients. */
  identity?: { name: string; version: string }
  /** Connects to servers. Default: the SDK's client. */
  connect?: Connect
  /** Called with one line about servers and errors, redacted. */
  onLog?: (text: string) => void
  /** Called with the lines that servers write to their standard error, redacted. */
  onStderr?: ((server: string, line: string) => void) | undefined
}

interface ConnectionOptions {
  era: Era
  session?: Session | undefined
  /** What the client may see and do, if it has no session yet. */
  access?: Access | undefined
  /** The method, if the server is for a single request. */
  method?: string | undefined
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
  readonly gateway: Gateway
  readonly deps: HandlerDeps
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
  /**
   * Starts a server, or one of its accounts, even if it was stopped. @throws {Error} why it cannot
   * start
   */
  start(server: ServerConfig): Promise<void>
  /** Replaces the configuration; only servers that are started differently are restarted. */
  replace(configured: Configured & { limits?: LimitSettings | undefined }): Replaced
  /** Stops all servers. */
  close(): Promise<void>
}

/** The SDK's client is loaded with the first server, so that lists are answered immediately. */
const connectBySdk: Connect = async (options) =>
  (await import('../upstream/transport/connect.ts')).connect(options)

const defaultBudget: Budget = { characters: 20_000, tokens: 10_000 }

/** Creates an aggregator. No server is started before it is needed; `close` stops all of them. */
export function createAggregator(options: AggregatorOptions): Aggregator {
  const {
    mode = 'meta',
    identity = ownIdentity,
    journal = noJournal,
    sharedRateLimiter,
    signIns,
  } = options
  const secrets = createRedactor()
  const onLog = (text: string): void => options.onLog?.(secrets.redact(text))
  const store = options.resultStore ?? createResultStore()
  const { pin = true, scan = true } = options.trust ?? {}
  const trust = createTrust({
    store: options.pinStore ?? createMemoryPinStore(),
    pin,
    scan,
    servers: () => gateway.servers,
    remedies: options.remedies,
    onLog,
    onHeld(server, tool, reasons) {
      onLog(`${server}.${tool} is held: ${reasons}.`)
      const time = new Date().toISOString()
      journal.write({
        time,
        kind: 'event',
        module: server,
        tool,
        outcome: 'tool_held',
        message: reasons,
      })
    },
  })
  const gateway: Gateway = createGateway({
    servers: options.servers,
    profiles: options.profiles,
    callers: options.callers,
    disabled: options.disabled,
    trust,
    secrets,
    connect: withSecrets(
      withOAuth(options.connect ?? connectBySdk, signIns),
      options.secretSources ?? {},
      secrets,
    ),
    onLog,
    onStderr: options.onStderr,
    remedies: options.remedies,
    filtersTools: mode === 'meta',
    // Names of our own tools, where they are listed next to those of servers.
    reserved: mode === 'full' ? [] : metaTools.map(({ name }) => name),
    ...(options.catalogStore && { catalogStore: options.catalogStore }),
    ...(options.prefix !== undefined && { prefix: options.prefix }),
  })
  const endings = [
    signIns?.onSecrets((values) => secrets.learn(values, true)),
    signIns?.onSignedIn(discoverItems),
  ]
  /** A server that needed a sign-in can be queried now; clients that may see it are notified. */
  function discoverItems(unit: string): void {
    for (const session of gateway.sessions) {
      const { capabilities } = session
      const { unknown } = gateway.viewFor({ session, capabilities })
      const server = unknown.find((one) => unitName(one) === unit)
      if (server) void gateway.know(server, session, capabilities).catch(() => {})
    }
  }
  const shown = Object.fromEntries(
    modes.map((one) => [one, createListModes(one)] as const),
  ) as Record<Mode, ListModes>
  const limits = createLimits(options.limits ?? {}, sharedRateLimiter?.count)
  const deps: HandlerDeps = {
    gateway,
    listModes: shown[mode],
    results: createResults(store, { ...defaultBudget, ...options.results }),
    batchLimits: { ...defaultBatchLimits, ...options.batch },
    validate: validateArguments,
    limits,
    recording: { journal, redact: secrets.redact },
    lists: createListRecorder(journal),
    toolSearch: createToolSearch(options.meaning),
    tracing: options.tracing,
  }
  const suspensions = createSuspensions()
  return {
    gateway,
    deps,
    createServer(connection) {
      const access = connection.session?.access ?? connection.access
      const { servers } = gateway.profiles.of(access)
      const instructions = instructionsFor(mode, servers.length)
      return createEndpoint({
        ...connection,
        deps,
        suspensions,
        identity,
        capabilities,
        instructions,
      })
    },
    request: (message, { access, signal, as, mode: ownMode } = {}) =>
      answerRequest(message, createInProcessContext({ access, signal, as }), {
        ...deps,
        listModes: ownMode === undefined ? deps.listModes : shown[ownMode],
      }),
    async receipt({ access, ask = true } = {}) {
      const viewer = createInProcessContext({ access })
      const { unknown } = gateway.viewFor(viewer)
      if (ask)
        await Promise.allSettled(unknown.map((server) => gateway.know(server, viewer.session, {})))
      const view = gateway.viewFor(viewer)
      const silent = view.unknown.map(({ name }) => name)
      const { receiptOf } = await import('../tools/list-modes/receipt.ts')
      return { receipt: await receiptOf(view), silent }
    },
    async start(server) {
      gateway.control.start(unitName(server))
      const { session } = createInProcessContext()
      await gateway.instanceOf(server, session, {}).use(async () => {})
      // The server counts as started when its lists are known.
      await gateway.know(server, session, {})
    },
    replace(configured) {
      limits.replace(configured.limits ?? {}, configured.servers)
      return gateway.replace(configured)
    },
    async close() {
      for (const end of endings) end?.()
      signIns?.close()
      suspensions.close()
      await gateway.close()
      await deps.lists.flush()
      journal.close()
      sharedRateLimiter?.close()
      store.close()
    },
  }
}

const capabilities: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
}

/** Sent to models once, so it is short; the descriptions of the tools say the rest. */
function instructionsFor(mode: Mode, servers: number): string | undefined {
  if (mode === 'full' || mode === 'auto') return undefined
  return mode === 'list'
    ? 'Tools are named module__tool; get_module_schema gives their parameters.'
    : `Tools of ${servers === 1 ? 'one module' : `${servers} modules`}: find one with search_tools, then use call.`
}
