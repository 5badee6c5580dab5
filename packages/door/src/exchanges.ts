import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Visitor } from './visitors/visitor.ts'

/** One request that is being answered. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Nobody was asked who they are at a public route. */
  readonly visitor: Visitor | undefined
  readonly isEndless: boolean
  readonly beganAt: number
}

/** Requests that are being answered. */
export interface Exchanges {
  add(exchange: Exchange): void
  readonly all: ReadonlySet<Exchange>
  /** Resolves when all that end by themselves have, or the time is over. */
  untilDone(graceMs: number): Promise<void>
}

export function createExchanges(): Exchanges {
  const all = new Set<Exchange>()
  let onEnd = (): void => {}
  const isDone = (): boolean => [...all].every(({ isEndless }) => isEndless)
  return {
    all,
    add(exchange) {
      all.add(exchange)
      exchange.response.once('close', () => {
        all.delete(exchange)
        onEnd()
      })
    },
    untilDone: (graceMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, graceMs)
        onEnd = () => {
          if (!isDone()) return
          clearTimeout(timer)
          resolve()
        }
        onEnd()
      }),
  }
}
