import { ProtocolError, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client'
import { ConnectionLost } from '#servers/connection/connection'
import type { Cancellable } from '#servers/protocol/cancellation'
import type { JsonObject, Message } from '#servers/protocol/message'

/** The SDK's own ids begin with 0. They fit 32 bits, as some servers require. */
const firstId = 2 ** 30

interface Waiting {
  resolve(result: JsonObject): void
  reject(error: unknown): void
}

interface DirectRequest {
  signal?: Cancellable | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Requests whose results arrive as the server sends them. The SDK matches each message against
 * several schemas, which takes as long as everything else in a short call, and refuses a whole list
 * for one invalid item.
 */
export class DirectRequests {
  readonly #transport: Transport
  /** `_meta` of each message in the modern era. */
  readonly #envelope: JsonObject | undefined
  readonly #pending = new Map<number, Waiting>()
  #nextId = firstId

  constructor(transport: Transport, envelope: JsonObject | undefined) {
    this.#transport = transport
    this.#envelope = envelope
  }

  /** Rejects as the SDK does: with `ProtocolError`, `SdkError`, or the error of `send`. */
  async request(message: Message, { signal, headers }: DirectRequest = {}): Promise<JsonObject> {
    signal?.throwIfAborted()
    const id = this.#nextId++
    // In the modern era the end of its stream cancels a request.
    const hasStream = this.#envelope !== undefined && this.#transport.hasPerRequestStream
    const stream = hasStream ? new AbortController() : undefined
    let cancel = (): void => {}
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        cancel = () => {
          if (stream) stream.abort(signal?.reason)
          else this.#cancel(id, signal?.reason)
          reject(signal?.reason)
        }
        this.#pending.set(id, { resolve, reject })
        signal?.addEventListener('abort', cancel)
        const options = {
          ...(headers && { headers }),
          ...(stream && { requestSignal: stream.signal }),
          onRequestStreamEnd: () =>
            reject(new ConnectionLost('its event stream broke off before the answer')),
        }
        this.#send({ id, ...message }, options).catch(reject)
      })
    } finally {
      signal?.removeEventListener('abort', cancel)
      this.#pending.delete(id)
    }
  }

  /** True if the message answers a request that was made here, cancelled ones included. */
  settle(answer: object): boolean {
    const { id, result, error } = answer as { id?: unknown; result?: unknown; error?: unknown }
    if ((result === undefined && error === undefined) || !(Number(id) >= firstId)) return false
    const request = this.#pending.get(Number(id))
    if (error !== undefined) {
      const { code, message, data } = error as { code: number; message: string; data: unknown }
      request?.reject(ProtocolError.fromError(code, message, data))
    } else request?.resolve(this.#complete(result as JsonObject))
    return true
  }

  /** The connection has ended. */
  end(): void {
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed')
    for (const { reject } of this.#pending.values()) reject(error)
  }

  #cancel(requestId: number, reason: unknown): void {
    const params = { requestId, reason: String(reason) }
    this.#send({ method: 'notifications/cancelled', params }).catch(() => {})
  }

  #send(
    { params, ...message }: Message & { id?: number },
    options?: Parameters<Transport['send']>[1],
  ): Promise<void> {
    const meta = this.#envelope && { ...this.#envelope, ...(params?.['_meta'] as object) }
    const sent = meta ? { ...params, _meta: meta } : params
    return this.#transport.send(
      { jsonrpc: '2.0', ...message, ...(sent && { params: sent }) },
      options,
    )
  }

  /** `resultType` is of 2026: a modern client would take that of a legacy server for ours. */
  #complete(result: JsonObject): JsonObject {
    const { resultType, ...rest } = result
    const isOurs = resultType === undefined || (this.#envelope && resultType !== 'complete')
    return isOurs ? result : rest
  }
}
