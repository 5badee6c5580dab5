import { type BatchLimits, defaultBatchLimits } from './batch/batch-limits.ts'
import type { CatalogStore } from './catalog/catalog-store.ts'
import type { ServerConfig } from './config/server-config.ts'
import { createDisclosure, type Mode } from './disclosure/disclosure.ts'
import type { Receipt } from './disclosure/receipt.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { createEndpoint, type Endpoint } from './mcp/create-endpoint.ts'
import { identity as ownIdentity } from './mcp/identity.ts'
import { validateArguments } from './mcp/json-schema.ts'
import { createSuspensions } from './mcp/suspensions.ts'
import { metaTools } from './meta-tools/all-meta-tools.ts'
import type { Session } from './relay/exchange.ts'
import type { Serving } from './requests/serving.ts'
import { createResultStore } from './results/kept-results.ts'
import type { ResultStore } from './results/result-store.ts'
import { createResults, type Room } from './results/results.ts'
import type { Connect, Era, Fields } from './upstream/connection.ts'

export interface AggregatorOptions {
  servers: readonly ServerConfig[]
  /** How tools are shown to clients. Default `meta`. */
  mode?: Mode
  /** Names begin with the name of their server. Default true. */
  prefix?: boolean
  catalogStore?: CatalogStore
  resultStore?: ResultStore
  results?: Partial<Room>
  batch?: Partial<BatchLimits>
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
  /** Of the one request, if it is one. */
  method?: string | undefined
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
  /**
   * What the modes cost with these servers. Those never seen are asked first; who does not answer
   * is `silent`.
   */
  receipt(): Promise<{ receipt: Receipt; silent: string[] }>
  /** Ends all servers. */
  close(): Promise<void>
}

/** The SDK's client is loaded when the first server is needed, so that lists come at once. */
const connectBySdk: Connect = async (options) => (await import('./mcp/connect.ts')).connect(options)

const defaultRoom: Room = { characters: 20_000, tokens: 10_000 }

export function createAggregator(options: AggregatorOptions): Aggregator {
  const { servers, mode = 'meta', identity = ownIdentity, onLog = () => {} } = options
  const store = options.resultStore ?? createResultStore()
  const gateway = createGateway({
    servers,
    connect: options.connect ?? connectBySdk,
    onLog,
    onStderr: options.onStderr,
    hidesTools: mode === 'meta',
    // Where ours stand beside those of servers.
    reserved: mode === 'full' ? [] : metaTools.map(({ name }) => name),
    ...(options.catalogStore && { catalogStore: options.catalogStore }),
    ...(options.prefix !== undefined && { prefix: options.prefix }),
  })
  const serving: Serving = {
    gateway,
    disclosure: createDisclosure(mode, servers),
    results: createResults(store, { ...defaultRoom, ...options.results }),
    batchLimits: { ...defaultBatchLimits, ...options.batch },
    validate: validateArguments,
  }
  const suspensions = createSuspensions()
  return {
    gateway,
    serving,
    createServer: (connection) =>
      createEndpoint({
        ...connection,
        serving,
        suspensions,
        identity,
        capabilities,
        instructions: instructionsFor(mode, servers),
      }),
    async receipt() {
      const session: Session = { ...nobody, notify() {} }
      await Promise.allSettled(servers.map((server) => gateway.know(server, session, {})))
      const view = gateway.viewFor({})
      const silent = view.unknown.map(({ name }) => name)
      const { receiptOf } = await import('./disclosure/receipt.ts')
      return { receipt: await receiptOf(view, servers), silent }
    },
    async close() {
      suspensions.close()
      await gateway.close()
      store.close()
    },
  }
}

const nobody = { id: 'nobody', era: 'modern', capabilities: {} } as const

const capabilities: Fields = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
}

/** Said once to a model, so it is short; the tools say the rest. */
function instructionsFor(mode: Mode, servers: readonly ServerConfig[]): string | undefined {
  if (mode === 'full' || mode === 'auto') return undefined
  return mode === 'list'
    ? 'Tools are named module__tool; get_module_schema gives their parameters.'
    : `Tools of ${servers.length} modules: find one with search_tools, then use call.`
}
