import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import type { Cancellable } from './cancellation.ts'
import { oncePer } from './once-per.ts'

export type JsonObject = Record<string, unknown>

/** `legacy` begins with `initialize`. `modern` is 2026-07-28: each request is self-contained. */
export type Era = 'legacy' | 'modern'

export interface Message {
  method: string
  params?: JsonObject | undefined
}

export interface RequestOptions {
  signal?: Cancellable | undefined
  /** Called with the server's progress, without the progress token. */
  onProgress?: ((progress: JsonObject) => void) | undefined
  /** The definition of the called tool: over HTTP some of its parameters are sent as headers. */
  tool?: JsonObject | undefined
}

/** True for a JSON object; false for an array or null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const rpcCodes = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Of 2026. */
  missingCapability: -32021,
} as const

/** A JSON-RPC error of ours, for requests whose results cannot carry one. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: JsonObject | undefined

  constructor(code: number, message: string, data?: JsonObject) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** A JSON-RPC error of a server. The SDK's own class is its equal: both are not `RpcError`. */
export const serverRpcError = (code: number, message: string, data?: unknown): Error =>
  Object.assign(new Error(message), { code, ...(data !== undefined && { data }) })

/** Keys that 2026-07-28 defines in `_meta` of requests and results. */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  server: 'io.modelcontextprotocol/serverInfo',
} as const

/**
 * The JSON of a result. It is made once, for the journal, the size, the store and the client: a
 * result does not change after it has arrived. @throws {RangeError} if it is nested too deep
 */
export const jsonOf: (result: object) => string = oncePer((result) => JSON.stringify(result))

/** A message as JSON. A result that cannot be serialized becomes an error. */
export function messageText(message: JSONRPCMessage): string {
  try {
    return 'result' in message
      ? `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${jsonOf(message.result)}}`
      : JSON.stringify(message)
  } catch (error) {
    if (!('id' in message) || 'method' in message) throw error
    const problem = `The result cannot be serialized as JSON: ${(error as Error).message}.`
    return JSON.stringify({
      jsonrpc: '2.0',
      id: message.id,
      error: { code: rpcCodes.internal, message: problem },
    })
  }
}

/** Parses a line as a JSON-RPC message; undefined if it is not one. */
export function parseMessage(line: string): JSONRPCMessage | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const message: unknown = JSON.parse(line)
    const { jsonrpc } = message as { jsonrpc?: unknown }
    return jsonrpc === '2.0' ? (message as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}
