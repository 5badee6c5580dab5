export type Bag = Record<string, unknown>

export interface Message {
  id?: string | number
  method?: string
  params?: Bag & { _meta?: Bag }
  result?: Bag
  error?: { code: number; message: string; data?: unknown }
}

/** All that went over one client's connection, before and after any SDK made something else of it. */
export interface Wire {
  sent: Message[]
  received: Message[]
}

interface Transport {
  send: (message: never, options?: never) => Promise<void>
  onmessage?: unknown
}

export function tap(transport: Transport): Wire {
  const wire: Wire = { sent: [], received: [] }
  // Both SDKs call a handler that is already there before their own.
  transport.onmessage = (message: Message) => wire.received.push(structuredClone(message))
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    wire.sent.push(structuredClone(message))
    return send(message, options)
  }
  return wire
}

export const meta = (name: string) => `io.modelcontextprotocol/${name}`

/** The questions to the user among messages, in whichever era's way they are asked. */
export function questionsIn(messages: Message[]): Bag[] {
  const requested = messages.flatMap((message): Message[] => {
    if (message.id !== undefined && message.method !== undefined) return [message]
    return Object.values((message.result?.['inputRequests'] ?? {}) as Record<string, Message>)
  })
  return requested.map(({ method, params: { _meta, ...params } = {} }) => ({ method, params }))
}

/** A result without what belongs to a leg of the way and not to what was answered. */
export function answerOf(result: Bag | undefined): Bag {
  const { resultType, ttlMs, cacheScope, _meta, ...answer } = result ?? {}
  const { [meta('serverInfo')]: _, ...rest } = (_meta ?? {}) as Bag
  return Object.keys(rest).length > 0 ? { ...answer, _meta: rest } : answer
}
