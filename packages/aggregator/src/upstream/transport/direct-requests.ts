import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import type { JsonObject, Message } from '../../protocol/message.ts'

/** The SDK's own ids begin with 0. They fit 32 bits, as some servers require. */
const firstId = 2 ** 30

interface Waiting {
  resolve(result: JsonObject): void
  reject(error: unknown): void
}

/**
 * Requests to a server of 2025 over stdio. The SDK matches each message against several schemas,
 * which takes as long as everything else in a short call.
 */
export class DirectRequests {
  readonly #send: (message: object) => Promise<void>
  readonly #waiting = new Map<number, Waiting>()
  #nextId = firstId

  constructor(send: (message: object) => Promise<void>) {
    this.#send = send
  }

  /** Rejects as the SDK does: with `ProtocolError`, `SdkError`, or the error of `send`. */
  async request({ method, params }: Message, signal?: AbortSignal): Promise<JsonObject> {
    signal?.throwIfAborted()
    const id = this.#nextId++
    let cancel = (): void => {}
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        cancel = () => {
          const cancelled = { requestId: id, reason: String(signal?.reason) }
          this.#notify({ method: 'notifications/cancelled', params: cancelled })
          reject(signal?.reason)
        }
        this.#waiting.set(id, { resolve, reject })
        signal?.addEventListener('abort', cancel)
        this.#send({ jsonrpc: '2.0', id, method, ...(params && { params }) }).catch(reject)
      })
    } finally {
      signal?.removeEventListener('abort', cancel)
      this.#waiting.delete(id)
    }
  }

  /** True if the message answers a request that was made here, cancelled ones included. */
  settle(answer: object): boolean {
    const { id, result, error } = answer as { id?: unknown; result?: unknown; error?: unknown }
    if ((result === undefined && error === undefined) || !(Number(id) >= firstId)) return false
    const waiting = this.#waiting.get(Number(id))
    if (error !== undefined) {
      const { code, message, data } = error as { code: number; message: string; data: unknown }
      waiting?.reject(ProtocolError.fromError(code, message, data))
    } else waiting?.resolve(complete(result as JsonObject))
    return true
  }

  /** The connection has ended. */
  end(): void {
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed')
    for (const { reject } of this.#waiting.values()) reject(error)
  }

  #notify(message: Message): void {
    this.#send({ jsonrpc: '2.0', ...message }).catch(() => {})
  }
}

/** `resultType` is of 2026: a modern client would take it for ours. */
function complete(result: JsonObject): JsonObject {
  if (!('resultType' in result)) return result
  const { resultType: _, ...rest } = result
  return rest
}
