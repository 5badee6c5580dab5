import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { jsonOf } from './json-of.ts'
import { rpcCodes } from './rpc-error.ts'

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
