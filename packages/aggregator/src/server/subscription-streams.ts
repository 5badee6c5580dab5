import { setTimeout as sleep } from 'node:timers/promises'
import type { Gateway } from '../catalog/gateway.ts'
import { type JsonObject, metaKeys } from '../protocol/message.ts'
import type { Session } from '../protocol/request-context.ts'
import { capabilitiesKey } from '../upstream/connection/client-capabilities.ts'
import { followListened } from './methods/resources.ts'

/** The parts of a client message that concern subscriptions. */
export interface Incoming {
  id?: string | number | undefined
  method?: string | undefined
  params?: JsonObject | undefined
}

/** A client waits for its stream at most this long, even if a server hangs. */
const maxWaitMs = 3_000

export function hasSubscriptionStream({ method }: Incoming): boolean {
  return method === 'subscriptions/listen'
}

export type Listening = ReturnType<typeof createSubscriptionStreams>

/**
 * Subscriptions of modern clients. The SDK answers these requests itself and does not tell its
 * server, but the upstream servers need the subscriptions.
 */
export function createSubscriptionStreams(session: Session, gateway: Gateway) {
  const open = new Map<string | number, Received>()
  return {
    /** Resolves when the subscriptions are made, or have failed. */
    async open({ id, params }: Incoming): Promise<void> {
      const { resourceSubscriptions } = (params?.['notifications'] ?? {}) as JsonObject
      if (id === undefined || !Array.isArray(resourceSubscriptions)) return
      const meta = (params?.['_meta'] ?? {}) as JsonObject
      const capabilities = (meta[metaKeys.capabilities] ?? {}) as JsonObject
      const uris = resourceSubscriptions.filter((uri) => typeof uri === 'string')
      open.set(id, { uris, capabilities })
      const following = followListened(uris, true, { session, capabilities }, gateway)
      await Promise.race([following, sleep(maxWaitMs, undefined, { ref: false })])
    },
    close(id: string | number): void {
      const received = open.get(id)
      open.delete(id)
      if (received === undefined) return
      const { capabilities } = received
      const isReceived = (uri: string): boolean =>
        [...open.values()].some(
          (other) => other.uris.includes(uri) && isAlike(other.capabilities, capabilities),
        )
      const over = received.uris.filter((uri) => !isReceived(uri))
      if (over.length > 0) void followListened(over, false, { session, capabilities }, gateway)
    },
  }
}

interface Received {
  uris: readonly string[]
  capabilities: JsonObject
}

const isAlike = (one: JsonObject, other: JsonObject): boolean =>
  capabilitiesKey(one) === capabilitiesKey(other)
