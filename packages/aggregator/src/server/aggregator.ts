import { type Journal, noJournal } from '../call/journal/journal.ts'
import { createListNotes } from '../call/journal/note-list.ts'
import type { SharedCounts } from '../call/limits/count-in-redis.ts'
import { createLimits } from '../call/limits/limits.ts'
import type { Room } from '../call/results/document.ts'
import { createResultStore } from '../call/results/kept-results.ts'
import type { ResultStore } from '../call/results/result-store.ts'
import { createResults } from '../call/results/results.ts'
import type { CatalogStore } from '../catalog/entries/catalog-store.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { createMemoryPinStore, type PinStore } from '../catalog/trust/pin.ts'
import { createTrust } from '../catalog/trust/trust.ts'
import type { Configured, Replaced } from '../config/configured.ts'
import type { LimitSettings } from '../config/limit-settings.ts'
import type { ServerConfig } from '../config/server-config.ts'
import { identity as ownIdentity } from '../identity.ts'
import type { Access, Session } from '../protocol/exchange.ts'
import { validateArguments } from '../protocol/json-schema.ts'
import type { Era, Fields, Message } from '../protocol/message.ts'
import type { Tracing } from '../protocol/tracing.ts'
import { unitName } from '../protocol/unit.ts'
import type { SecretSources } from '../secrets/secret-sources.ts'
import { createSecrets } from '../secrets/secrets.ts'
import { metaTools } from '../tools/all-meta-tools.ts'
import { type BatchLimits, defaultBatchLimits } from '../tools/batch/batch-limits.ts'
import {
  createDisclosure,
  type Disclosure,
  type Mode,
  modes,
} from '../tools/disclosure/disclosure.ts'
import type { Receipt } from '../tools/disclosure/receipt.ts'
import type { MeaningSearch } from '../tools/search/meaning-search.ts'
import { createToolSearch } from '../tools/search/tool-search.ts'
import type { Connect } from '../upstream/connection/connection.ts'
import { lookingUp } from '../upstream/looking-up.ts'
import type { SignIns } from '../upstream/oauth/sign-ins.ts'
import { signingIn } from '../upstream/oauth/signing-in.ts'
import { createEndpoint, type Endpoint } from './create-endpoint.ts'
import { exchangeFromWithin } from './exchange-from-within.ts'
import { createGateway } from './gateway.ts'
import { answerRequest } from './requests/answer-request.ts'
import type { Serving } from './requests/serving.ts'
import { createSuspensions } from './suspensions.ts'

export interface AggregatorOptions extends Configured {
  /** How tools are shown to clients. Default `meta`. */
  mode?: Mode
  /** Names begin with the name of their server. Default true. */
  prefix?: boolean
  catalogStore?: CatalogStore
  resultStore?: ResultStore
  results?: Partial<Room>
  batch?: Partial<BatchLimits>
  limits?: LimitSettings | undefined
  /** Where calls are counted; in this process unless several count together. */
  sharedCounts?: SharedCounts | undefined
  /** Definitions of tools are pinned when they are first seen, and looked through. Both default to true. */
  trust?: { pin?: boolean | undefined; scan?: boolean | undefined } | undefined
  pinStore?: PinStore
  journal?: Journal
  /** Sees requests come, and go on to servers with a trace context of their own. */
  tracing?: Tracing | undefined
  /** Finds tools by meaning, beside words. */
  meaning?: MeaningSearch | undefined
  /** Where `${file:…}`, `${keychain:…}` and `${command:…}` are looked up. */
  secretSources?: SecretSources
  /** For servers that want to know who asks. */
  signIns?: SignIns | undefined
  /** Who we say we are. */
  identity?: { name: string; version: string }
  /** How servers are reached; by the SDK's client unless a test has its own way. */
  connect?: Connect
  /** Told what happens to servers, one line each, without secrets. */
  onLog?: (text: string) => void
  /** Told what servers write to their error output, without secrets. */
  onStderr?: ((server: string, line: string) => void) | undefined
}

interface ConnectionOptions {
  era: Era
  session?: Session | undefined
  /** What its client may see and do, if it has no session yet. */
  access?: Access | undefined
  /** Of the one request, if it is one. */
  method?: string | undefined
}

interface WithinOptions {
  access?: Access | undefined
  signal?: AbortSignal | undefined
  /** Who asks, for the journal. Default `within`. */
  as?: string | undefined
  /** How tools are shown to whoever asks. Default as to all. */
  mode?: Mode | undefined
}

/** Many MCP servers as one. */
export interface Aggregator {
  readonly gateway: Gateway
  readonly serving: Serving
  /**
   * A server of the SDK for one connection, to be connected to a transport. With a session, for one
   * request of clients that come without connections.
   */
  createServer(options: ConnectionOptions): Endpoint
  /** Ask it something from within this process, as a client that answers no questions. */
  request(message: Message, options?: WithinOptions): Promise<Fields>
  /**
   * What the modes cost with these servers. Those never seen are asked first unless `ask` is false;
   * of whom nothing is known is `silent`.
   */
  receipt(options?: {
    access?: Access | undefined
    ask?: boolean
  }): Promise<{ receipt: Receipt; silent: string[] }>
  /**
   * Start a server, or one of its accounts, that is not running, whether it was stopped by its owner
   * or by itself. @throws what is wrong with it
   */
  start(server: ServerConfig): Promise<void>
  /** Go on with another configuration: only what is started otherwise is started anew. */
  replace(configured: Configured & { limits?: LimitSettings | undefined }): Replaced
  /** Ends all servers. */
  close(): Promise<void>
}

/** The SDK's client is loaded when the first server is needed, so that lists come at once. */
const connectBySdk: Connect = async (options) =>
  (await import('../upstream/transport/connect.ts')).connect(options)

const defaultRoom: Room = { characters: 20_000, tokens: 10_000 }

export function createAggregator(options: AggregatorOptions): Aggregator {
  const {
    mode = 'meta',
    identity = ownIdentity,
    journal = noJournal,
    sharedCounts,
    signIns,
  } = options
  const secrets = createSecrets()
  const onLog = (text: string): void => options.onLog?.(secrets.hide(text))
  const store = options.resultStore ?? createResultStore()
  const { pin = true, scan = true } = options.trust ?? {}
  const trust = createTrust({
    store: options.pinStore ?? createMemoryPinStore(),
    pin,
    scan,
    servers: () => gateway.servers,
    onLog,
    onHeld(server, tool, said) {
      onLog(`${server}.${tool} is held: ${said}`)
      const time = new Date().toISOString()
      journal.write({ time, kind: 'event', module: server, tool, outcome: 'tool_held', said })
    },
  })
  const gateway: Gateway = createGateway({
    servers: options.servers,
    profiles: options.profiles,
    callers: options.callers,
    disabled: options.disabled,
    trust,
    secrets,
    connect: lookingUp(
      signingIn(options.connect ?? connectBySdk, signIns),
      options.secretSources ?? {},
      secrets,
    ),
    onLog,
    onStderr: options.onStderr,
    hidesTools: mode === 'meta',
    // Where ours stand beside those of servers.
    reserved: mode === 'full' ? [] : metaTools.map(({ name }) => name),
    ...(options.catalogStore && { catalogStore: options.catalogStore }),
    ...(options.prefix !== undefined && { prefix: options.prefix }),
  })
  const endings = [
    signIns?.onSecrets((values) => secrets.learn(values, true)),
    signIns?.onSignedIn(learnOffers),
  ]
  /** What a server offers was not to be had before; clients that may see it are told. */
  function learnOffers(unit: string): void {
    for (const session of gateway.sessions) {
      const { capabilities } = session
      const { unknown } = gateway.viewFor({ session, capabilities })
      const server = unknown.find((one) => unitName(one) === unit)
      if (server) void gateway.know(server, session, capabilities).catch(() => {})
    }
  }
  const shown = Object.fromEntries(
    modes.map((one) => [one, createDisclosure(one)] as const),
  ) as Record<Mode, Disclosure>
  const limits = createLimits(options.limits ?? {}, sharedCounts?.count)
  const serving: Serving = {
    gateway,
    disclosure: shown[mode],
    results: createResults(store, { ...defaultRoom, ...options.results }),
    batchLimits: { ...defaultBatchLimits, ...options.batch },
    validate: validateArguments,
    limits,
    recording: { journal, hide: secrets.hide },
    lists: createListNotes(journal),
    toolSearch: createToolSearch(options.meaning),
    tracing: options.tracing,
  }
  const suspensions = createSuspensions()
  return {
    gateway,
    serving,
    createServer(connection) {
      const access = connection.session?.access ?? connection.access
      const { servers } = gateway.profiles.of(access)
      const instructions = instructionsFor(mode, servers.length)
      return createEndpoint({
        ...connection,
        serving,
        suspensions,
        identity,
        capabilities,
        instructions,
      })
    },
    request: (message, { access, signal, as, mode: ownMode } = {}) =>
      answerRequest(message, exchangeFromWithin({ access, signal, as }), {
        ...serving,
        disclosure: ownMode === undefined ? serving.disclosure : shown[ownMode],
      }),
    async receipt({ access, ask = true } = {}) {
      const viewer = exchangeFromWithin({ access })
      const { unknown } = gateway.viewFor(viewer)
      if (ask)
        await Promise.allSettled(unknown.map((server) => gateway.know(server, viewer.session, {})))
      const view = gateway.viewFor(viewer)
      const silent = view.unknown.map(({ name }) => name)
      const { receiptOf } = await import('../tools/disclosure/receipt.ts')
      return { receipt: await receiptOf(view), silent }
    },
    async start(server) {
      gateway.steering.release(unitName(server))
      const { session } = exchangeFromWithin()
      await gateway.instanceOf(server, session, {}).use(async () => {})
      // What it offers is known when it is said to have started.
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
      await serving.lists.flush()
      journal.close()
      sharedCounts?.close()
      store.close()
    },
  }
}

const capabilities: Fields = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
}

/** Said once to a model, so it is short; the tools say the rest. */
function instructionsFor(mode: Mode, servers: number): string | undefined {
  if (mode === 'full' || mode === 'auto') return undefined
  return mode === 'list'
    ? 'Tools are named module__tool; get_module_schema gives their parameters.'
    : `Tools of ${servers === 1 ? 'one module' : `${servers} modules`}: find one with search_tools, then use call.`
}
