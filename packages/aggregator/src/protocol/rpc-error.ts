import type { Fields } from './message.ts'
export const rpcCodes = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const

/** An error of JSON-RPC, for requests whose results have no room for errors. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: Fields | undefined

  constructor(code: number, message: string, data?: Fields) {
    super(message)
    this.code = code
    this.data = data
  }
}
