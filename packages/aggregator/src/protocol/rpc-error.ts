import type { JsonObject } from './message.ts'
export const rpcCodes = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const

/** A JSON-RPC error, for requests whose results cannot carry one. */
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
