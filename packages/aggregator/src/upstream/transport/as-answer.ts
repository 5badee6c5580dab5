import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isFields } from '../../protocol/message.ts'

/** As for any message that is none of JSON-RPC's. */
const invalidRequest = -32600
const internalError = -32603
const maxShown = 100

/**
 * A message as it is; what is meant as an answer and is none becomes an error: it would be waited for
 * until the time is over. Slips that many libraries make, such as `"error": null` beside a result, are
 * read over.
 */
export function asAnswer(message: JSONRPCMessage): JSONRPCMessage {
  const given = message as { id?: unknown; method?: unknown; result?: unknown; error?: unknown }
  const { id, method, result, error } = given
  if (id === undefined || (method !== undefined && result === undefined)) return message
  if (typeof id !== 'string' && typeof id !== 'number') return message
  if (isFields(error)) return { jsonrpc: '2.0', id, error: asError(error) }
  if (typeof error === 'string') return failure(id, internalError, error)
  if (!isFields(result))
    return failure(id, invalidRequest, `a result that is no object: ${shown(result)}`)
  const hasMeta = result['_meta'] === undefined || isFields(result['_meta'])
  if (hasMeta && error === undefined && method === undefined) return message
  const { _meta, ...others } = result
  return { jsonrpc: '2.0', id, result: hasMeta ? result : others }
}

function asError(error: Record<string, unknown>): { code: number; message: string } {
  const { code, message } = error
  const isWell = Number.isInteger(code) && typeof message === 'string'
  if (isWell) return error as { code: number; message: string }
  return {
    ...error,
    code: Number.isInteger(code) ? (code as number) : internalError,
    message: typeof message === 'string' ? message : `an error without a message: ${shown(error)}`,
  }
}

const failure = (id: string | number, code: number, said: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: `The server answered with ${said}`.slice(0, 1_000) },
})

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, maxShown)
