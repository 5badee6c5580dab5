import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from './auth/principals/principal.ts'

/** A request that is being answered. */
interface OpenExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Undefined at public routes. */
  readonly principal: Principal | undefined
  readonly isStream: boolean
  readonly beganAt: number
}

/** Requests that are being answered. */
export interface Exchanges {
  add(exchange: OpenExchange): void
  readonly all: ReadonlySet<OpenExchange>
  /** Resolves when all requests except streams have ended, or after `graceMs`. */
  drain(graceMs: number): Promise<void>
}

export function createExchanges(): Exchanges {
  const all = new Set<OpenExchange>()
  let onEnd = (): void => {}
  const isDone = (): boolean => [...all].every(({ isStream }) => isStream)
  return {
    all,
    add(exchange) {
      all.add(exchange)
      exchange.response.once('close', () => {
        all.delete(exchange)
        onEnd()
      })
    },
    drain: (graceMs) =>
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
