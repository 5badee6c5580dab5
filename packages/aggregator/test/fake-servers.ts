import type { Configured, ServerConfig } from '../../servers/src/config/server-config.ts'
import {
  type Connect,
  type Connection,
  ConnectionLost,
  type ConnectOptions,
} from '../../servers/src/connection/connection.ts'
import type { Cancellable } from '../../servers/src/protocol/cancellation.ts'
import type { Era, JsonObject, Message } from '../../servers/src/protocol/message.ts'
import type { Access, RequestContext, Session } from '../../servers/src/protocol/request-context.ts'
import { createRedactor } from '../../servers/src/secrets/redactor.ts'
import type { Gateway } from '../src/catalog/gateway.ts'
import { createMemoryPinStore } from '../src/catalog/trust/pin.ts'
import { createTrust } from '../src/catalog/trust/trust.ts'
import { createGateway, type GatewayOptions } from '../src/server/gateway.ts'

/** A server that lives in this process: its tools are functions. */
export interface FakeServer {
  instructions?: string
  /** `both`: the era that it is asked for, else the newer. */
  era?: Era | 'both'
  capabilities?: JsonObject
  /** Of its list of tools. */
  ttlMs?: number
  tools?: readonly FakeTool[]
  prompts?: JsonObject[]
  resources?: JsonObject[]
  resourceTemplates?: JsonObject[]
  /** Whatever is not a list or a tool. */
  answer?: (message: Message, connection: FakeConnection) => Promise<JsonObject> | JsonObject
  /** Called at each start; may throw, or wait for ever. */
  onStart?: (options: ConnectOptions) => Promise<void> | void
}

interface FakeTool {
  name: string
  definition?: JsonObject
  run?: (args: JsonObject, call: FakeCall) => Promise<JsonObject> | JsonObject
}

interface FakeCall {
  params: JsonObject
  signal: Cancellable | undefined
  progress: (progress: JsonObject) => void
  connection: FakeConnection
}

export interface FakeConnection extends Connection {
  /** As the server would: it is gone. */
  crash(reason?: string): void
  events: ConnectOptions
}

export interface FakeWorld {
  connect: Connect
  starts: Record<string, number>
  requests: { server: string; message: Message }[]
  connections: FakeConnection[]
}

export function createWorld(servers: Record<string, FakeServer>): FakeWorld {
  const world: FakeWorld = {
    starts: {},
    requests: [],
    connections: [],
    async connect(options) {
      const { name } = options.server
      world.starts[name] = (world.starts[name] ?? 0) + 1
      const server = servers[name]
      if (server === undefined) throw new Error('the command nowhere was not found')
      await server.onStart?.(options)
      const connection = createConnection(name, server, options, world)
      world.connections.push(connection)
      return connection
    },
  }
  return world
}

function createConnection(
  name: string,
  server: FakeServer,
  events: ConnectOptions,
  world: FakeWorld,
): FakeConnection {
  let end = (_reason: string): void => {}
  const closed = new Promise<string>((resolve) => {
    end = resolve
  })
  const lost = closed.then((reason): never => {
    throw new ConnectionLost(reason)
  })
  lost.catch(() => {})
  const connection: FakeConnection = {
    era: server.era === 'both' ? (events.era ?? 'modern') : (server.era ?? 'legacy'),
    capabilities: server.capabilities ?? { tools: {}, prompts: {}, resources: {}, logging: {} },
    serverInfo: { name, version: '1' },
    instructions: server.instructions,
    events,
    closed,
    crash: (reason = 'the process exited with code 1') => end(reason),
    async close() {
      end('it was stopped')
    },
    notify() {},
    async follow(uris) {
      world.requests.push({ server: name, message: { method: 'follow', params: { uris } } })
    },
    request(message, options = {}) {
      world.requests.push({ server: name, message })
      const answered = Promise.resolve().then(() => {
        const listed = listOf(server, message.method)
        if (listed) return listed
        const tool = server.tools?.find((one) => one.name === message.params?.['name'])
        if (message.method === 'tools/call' && tool?.run) {
          const params = message.params ?? {}
          const progress = options.onProgress ?? (() => {})
          const call = { params, signal: options.signal, progress, connection }
          return tool.run((params['arguments'] ?? {}) as JsonObject, call)
        }
        return server.answer?.(message, connection) ?? {}
      })
      const aborted = new Promise<never>((_, reject) => {
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
      })
      aborted.catch(() => {})
      return Promise.race([answered, lost, aborted])
    },
  }
  return connection
}

function listOf(server: FakeServer, method: string): JsonObject | undefined {
  switch (method) {
    case 'tools/list':
      return {
        tools: (server.tools ?? []).map(definitionOf),
        ...(server.ttlMs !== undefined && { ttlMs: server.ttlMs }),
      }
    case 'prompts/list':
      return { prompts: server.prompts ?? [] }
    case 'resources/list':
      return { resources: server.resources ?? [] }
    case 'resources/templates/list':
      return { resourceTemplates: server.resourceTemplates ?? [] }
    default:
      return undefined
  }
}

const definitionOf = ({ name, definition }: FakeTool): JsonObject => ({
  name,
  inputSchema: { type: 'object' },
  ...definition,
})

export const configOf = (name: string, settings: Partial<ServerConfig> = {}): ServerConfig =>
  ({
    name,
    type: 'stdio',
    command: 'nowhere',
    args: [],
    env: {},
    variables: [],
    timeoutMs: 5_000,
    startTimeoutMs: 5_000,
    idleMs: 0,
    per: 'replica',
    ...settings,
  }) as ServerConfig

/** A client that notes what it is told, and answers what it is asked. */
export function createClient(
  settings: {
    era?: Era
    capabilities?: JsonObject
    answer?: (message: Message) => JsonObject
    access?: Access
  } = {},
): {
  session: Session
  told: Message[]
  context: (given?: Partial<RequestContext>) => RequestContext
} {
  const { era = 'legacy', capabilities = {}, answer = () => ({}), access } = settings
  const told: Message[] = []
  const session: Session = {
    id: crypto.randomUUID(),
    era,
    capabilities,
    access,
    notify: (message) => void told.push(message),
    ask: async (message) => answer(message),
  }
  return {
    session,
    told,
    context: (given = {}) => ({
      session,
      signal: new AbortController().signal,
      capabilities,
      passthrough: {
        meta: undefined,
        logLevel: undefined,
        takes: { inputRequired: era === 'modern', tasks: false },
        retry: undefined,
      },
      notify: (message) => void told.push(message),
      ask: async (message) => answer(message),
      ...given,
    }),
  }
}

export const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })

export const textOf = (result: JsonObject): string =>
  ((result['content'] ?? []) as JsonObject[]).map((block) => block['text'] ?? '').join('\n')

/** A gateway whose servers are trusted. */
export function createTestGateway({
  servers,
  profiles,
  callers,
  ...options
}: Configured & Pick<GatewayOptions, 'connect'> & Partial<GatewayOptions>): Gateway {
  const gateway: Gateway = createGateway({
    configured: { servers, profiles, callers },
    trust: createTrust({ store: createMemoryPinStore(), servers: () => gateway.fleet.servers }),
    secrets: createRedactor(),
    ...options,
  })
  return gateway
}
