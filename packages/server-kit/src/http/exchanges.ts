import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Principal } from './auth/principals/principal.ts'

/** A request that is being answered. */
export interface OpenExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Undefined at public routes. */
  readonly principal: Principal | undefined
  readonly isStream: boolean
  readonly beganAt: number
}

/** Adds a request to those that are being answered, until it has been. */
export function addExchange(all: Set<OpenExchange>, exchange: OpenExchange): void {
  all.add(exchange)
  exchange.response.once('close', () => all.delete(exchange))
}

/** Resolves when all requests except streams have ended, or after `graceMs`. */
export async function drain(all: ReadonlySet<OpenExchange>, graceMs: number): Promise<void> {
  const awaited = [...all].filter(({ isStream }) => !isStream)
  const ended = awaited.map(
    ({ response }) => new Promise((resolve) => response.once('close', resolve)),
  )
  await Promise.race([Promise.all(ended), sleep(graceMs, undefined, { ref: false })])
}
