import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { ClientName } from './combinations.ts'
import type { Endpoint } from './processes.ts'
import { abilities, handlersOf, type User } from './user.ts'
import { type Bag, tap, type Wire } from './wire.ts'

export interface CallOptions {
  signal?: AbortSignal
  onprogress?: () => void
}

/** One SDK's client, connected. */
export interface Speaker {
  wire: Wire
  callTool(
    params: { name: string; arguments: Bag; _meta: Bag },
    options: CallOptions,
  ): Promise<unknown>
  request(method: string, params: Bag): Promise<unknown>
  notifyRootsChanged(): Promise<void>
  /** Subscribes to a resource and gives what ends it. */
  watch(uri: string): Promise<() => Promise<unknown>>
  close(): Promise<void>
}

const info = { name: 'fidelity', version: '1.0.0' }
const quiet = { stderr: 'ignore' as const }
const timeout = 5000

async function speakV1(endpoint: Endpoint, user: User): Promise<Speaker> {
  const client = new ClientV1(info, { capabilities: abilities })
  const { sampling, elicitation, roots } = handlersOf(user)
  client.setRequestHandler(CreateMessageRequestSchema, sampling as never)
  client.setRequestHandler(ElicitRequestSchema, elicitation as never)
  client.setRequestHandler(ListRootsRequestSchema, roots as never)
  const transport =
    'url' in endpoint ? new HttpV1(new URL(endpoint.url)) : new StdioV1({ ...endpoint, ...quiet })
  const wire = tap(transport)
  await client.connect(transport as TransportV1)
  await client.listTools()
  return {
    wire,
    callTool: (params, options) =>
      client.callTool(params, CallToolResultSchema, { timeout, ...options }),
    request: (method, params) => client.request({ method, params }, ResultSchema, { timeout }),
    notifyRootsChanged: () => client.sendRootsListChanged(),
    async watch(uri) {
      await client.subscribeResource({ uri })
      return () => client.unsubscribeResource({ uri })
    },
    close: () => client.close(),
  }
}

/** A subclass is probed on the process it starts; the SDK's own class would start a second one. */
class StdioInPlace extends StdioV2 {}

const unchanged = {
  '~standard': { version: 1, vendor: 'fidelity', validate: (value: unknown) => ({ value }) },
} as const

async function speakV2(endpoint: Endpoint, user: User, modern: boolean): Promise<Speaker> {
  const client = new ClientV2(info, {
    capabilities: abilities,
    ...(modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}),
  })
  const { sampling, elicitation, roots } = handlersOf(user)
  client.setRequestHandler('sampling/createMessage', sampling as never)
  client.setRequestHandler('elicitation/create', elicitation as never)
  client.setRequestHandler('roots/list', roots as never)
  const transport =
    'url' in endpoint
      ? new HttpV2(new URL(endpoint.url))
      : new StdioInPlace({ ...endpoint, ...quiet })
  const wire = tap(transport)
  await client.connect(transport)
  // As hosts do; the client then knows which parameters go into headers.
  await client.listTools()
  if (modern) {
    await client.listen({
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
    })
  }
  return {
    wire,
    callTool: (params, options) => client.callTool(params, { timeout, ...options }),
    request: (method, params) => client.request({ method, params }, unchanged, { timeout }),
    notifyRootsChanged: () => client.sendRootsListChanged(),
    async watch(uri) {
      if (modern) {
        const subscription = await client.listen({ resourceSubscriptions: [uri] })
        return () => subscription.close()
      }
      await client.subscribeResource({ uri })
      return () => client.unsubscribeResource({ uri })
    },
    close: () => client.close(),
  }
}

export const speak = (client: ClientName, endpoint: Endpoint, user: User) =>
  client === 'v1' ? speakV1(endpoint, user) : speakV2(endpoint, user, client === 'v2 of 2026')
