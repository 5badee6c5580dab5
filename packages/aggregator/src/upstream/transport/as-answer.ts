import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { asHandshake, withoutNulls } from './without-nulls.ts'

/** JSON-RPC codes for invalid messages. */
const invalidRequest = -32600
const internalError = -32603
const maxShown = 100

/** How an answer of our own begins, in place of one that cannot be used. */
export const unusable = 'The server answered with '

/**
 * Converts an invalid response into an error: otherwise the request would wait until its timeout.
 * Frequent mistakes of libraries, such as `"error": null` next to a result, are accepted.
 */
export function asAnswer(message: JSONRPCMessage): JSONRPCMessage {
  const fields = message as { id?: unknown; method?: unknown; result?: unknown; error?: unknown }
  const { id, method, result, error } = fields
  if (id === undefined || (method !== undefined && result === undefined)) return message
  if (typeof id !== 'string' && typeof id !== 'number') return message
  if (isJsonObject(error)) return { jsonrpc: '2.0', id, error: asError(error) }
  if (typeof error === 'string') return failure(id, error, internalError)
  if (!isJsonObject(result)) return failure(id, `a result that is not an object: ${quote(result)}`)
  const mended = asResult(result)
  const isHealthy = mended === result && error === undefined && method === undefined
  return isHealthy ? message : { jsonrpc: '2.0', id, result: mended }
}

/** What the response to a request says in one message: the answer, whatever its id is. */
export function asAnswerTo(id: string | number, message: unknown): JSONRPCMessage {
  if (!isJsonObject(message) || !isResponse(message))
    return failure(id, `JSON that is not a JSON-RPC response: ${quote(message)}`)
  const isOwn = message['jsonrpc'] === '2.0' && String(message['id']) === String(id)
  return asAnswer((isOwn ? message : { ...message, jsonrpc: '2.0', id }) as JSONRPCMessage)
}

export const isResponse = (message: JsonObject): boolean =>
  message['method'] === undefined && ('result' in message || 'error' in message)

/** An error in the name of the server, which cannot be cut or contain more than `problem` shows. */
export const failure = (
  id: string | number,
  problem: string,
  code: number = invalidRequest,
): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: `${unusable}${problem}`.slice(0, 1_000) },
})

const quote = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, maxShown)

function asResult(raw: JsonObject): JsonObject {
  const result = asHandshake(withoutNulls(raw))
  if (result['_meta'] === undefined || isJsonObject(result['_meta'])) return result
  const { _meta, ...rest } = result
  return rest
}

function asError(error: Record<string, unknown>): { code: number; message: string } {
  const { code, message } = error
  const isHealthy = Number.isInteger(code) && typeof message === 'string'
  if (isHealthy) return error as { code: number; message: string }
  return {
    ...error,
    code: Number.isInteger(code) ? (code as number) : internalError,
    message: typeof message === 'string' ? message : `an error without a message: ${quote(error)}`,
  }
}
