import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { isJsonObject, type JsonObject, rpcCodes } from '../protocol/message.ts'
import type { DirectAnswer, Endpoint } from './create-endpoint.ts'
import { sessionOf } from './session-of.ts'

export type Id = string | number

/** Answers calls of a client of 2025 over stdio. */
export type DirectCalls = ReturnType<typeof createDirectCalls>

/**
 * The SDK matches each message against several schemas, which takes as long as everything else in a
 * short call: `tools/call` is answered without it.
 */
export function createDirectCalls(
  server: Endpoint,
  answer: DirectAnswer,
  send: (message: JSONRPCMessage) => Promise<void>,
) {
  const session = sessionOf(server)
  const running = new Map<Id, AbortController>()
  const write = (message: object): void =>
    void send({ jsonrpc: '2.0', ...message } as JSONRPCMessage).catch(() => {})

  async function run(id: Id, params: JsonObject): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    running.set(id, controller)
    const reach = {
      signal,
      meta: params['_meta'] as JsonObject | undefined,
      notify: write,
      ask: session.ask ?? (() => Promise.reject(new Error('not of 2025'))),
    }
    const reply = await answer({ method: 'tools/call', params }, reach).then(
      (result) => ({ result }),
      (error) => ({ error: errorOf(error) }),
    )
    if (running.get(id) === controller) running.delete(id)
    if (!signal.aborted) write({ id, ...reply })
  }

  return {
    /** False if the message is left to the SDK. */
    receive(message: JSONRPCMessage) {
      const { id, method, params } = message as { id?: unknown; method?: string; params?: unknown }
      if (method === 'notifications/cancelled' && isJsonObject(params))
        running.get(params['requestId'] as Id)?.abort(params['reason'])
      if (method !== 'tools/call' || !isId(id) || !isPlain(params)) return false
      // The SDK answers requests in order: the capabilities come with the first.
      if (server.getClientCapabilities() === undefined) return false
      void run(id, params)
      return true
    },
    /** Cancels all calls. */
    close() {
      for (const controller of running.values()) controller.abort()
    },
  }
}

/** False for parameters with parts of 2026, which the SDK takes out. */
export function isPlain(params: unknown): params is JsonObject {
  if (!isJsonObject(params) || 'inputResponses' in params || 'requestState' in params) return false
  const meta = params['_meta']
  if (meta === undefined) return true
  return isJsonObject(meta) && !Object.keys(meta).some((key) => key.startsWith(reserved))
}

const reserved = 'io.modelcontextprotocol/'

export function errorOf(error: { code?: unknown; message?: unknown; data?: unknown }): JsonObject {
  const { code, message, data } = error
  return {
    code: Number.isSafeInteger(code) ? code : rpcCodes.internal,
    message: message ?? 'Internal error',
    ...(data !== undefined && { data }),
  }
}

export const isId = (value: unknown): value is Id =>
  typeof value === 'string' || typeof value === 'number'
