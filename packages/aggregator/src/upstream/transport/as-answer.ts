import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../protocol/message.ts'

/** JSON-RPC codes for invalid messages. */
const invalidRequest = -32600
const internalError = -32603
const maxShown = 100

/**
 * Converts an invalid response into an error: otherwise the request would wait until its timeout.
 * Frequent mistakes of libraries, such as `"error": null` next to a result, are accepted.
 */
export function asAnswer(message: JSONRPCMessage): JSONRPCMessage {
  const given = message as { id?: unknown; method?: unknown; result?: unknown; error?: unknown }
  const { id, method, result, error } = given
  if (id === undefined || (method !== undefined && result === undefined)) return message
  if (typeof id !== 'string' && typeof id !== 'number') return message
  if (isJsonObject(error)) return { jsonrpc: '2.0', id, error: asError(error) }
  if (typeof error === 'string') return failure(id, internalError, error)
  if (!isJsonObject(result))
    return failure(id, invalidRequest, `a result that is not an object: ${shown(result)}`)
  const hasMeta = result['_meta'] === undefined || isJsonObject(result['_meta'])
  if (hasMeta && error === undefined && method === undefined) return message
  const { _meta, ...others } = result
  return { jsonrpc: '2.0', id, result: hasMeta ? result : others }
}

function asError(error: Record<string, unknown>): { code: number; message: string } {
  const { code, message } = error
  const isHealthy = Number.isInteger(code) && typeof message === 'string'
  if (isHealthy) return error as { code: number; message: string }
  return {
    ...error,
    code: Number.isInteger(code) ? (code as number) : internalError,
    message: typeof message === 'string' ? message : `an error without a message: ${shown(error)}`,
  }
}

const failure = (id: string | number, code: number, problem: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: `The server answered with ${problem}`.slice(0, 1_000) },
})

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, maxShown)
