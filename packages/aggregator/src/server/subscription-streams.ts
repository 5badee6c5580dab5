import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type JsonObject, metaKeys } from '#servers/protocol/message'
import type { Session } from '#servers/protocol/request-context'
import { taskIdIn, taskUri } from '#servers/protocol/tasks'
import type { Client } from './methods/discovered.ts'
import type { HandlerDeps } from './methods/handler-deps.ts'
import { followListened } from './methods/resources.ts'
import { findTask } from './methods/tasks.ts'

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
export function createSubscriptionStreams(session: Session, deps: HandlerDeps) {
  const open = new Map<string | number, Received>()
  return {
    /** Resolves, when all is subscribed or has failed, to what the SDK gets: it drops `taskIds`. */
    async open(message: Incoming): Promise<Incoming> {
      const { id, params } = message
      const requested = params?.['notifications']
      if (id === undefined || !isJsonObject(requested)) return message
      const { taskIds = [], resourceSubscriptions: subscriptions = [], ...filter } = requested
      if (!Array.isArray(subscriptions) || !Array.isArray(taskIds)) return message
      const meta = (params?.['_meta'] ?? {}) as JsonObject
      const capabilities = (meta[metaKeys.capabilities] ?? {}) as JsonObject
      const client = { session, capabilities }
      const uris = [...subscriptions, ...taskIds.map(taskUri)].filter((uri) => {
        const taskId = taskIdIn(uri)
        return taskId === undefined || findTask(taskId, client, deps)
      })
      open.set(id, { uris, client })
      const refused = new Set<string>()
      const following = followListened(uris, true, client, deps, (uri) => refused.add(uri))
      await Promise.race([following, sleep(maxWaitMs, undefined, { ref: false })])
      const followed = uris.filter((uri) => !refused.has(uri))
      open.set(id, { uris: followed, client })
      const notifications = { ...filter, resourceSubscriptions: followed }
      return { ...message, params: { ...params, notifications } }
    },
    close(id: string | number): void {
      const received = open.get(id)
      open.delete(id)
      if (received === undefined) return
      const followed = new Set([...open.values()].flatMap(({ uris }) => uris))
      const over = received.uris.filter((uri) => !followed.has(uri))
      if (over.length > 0) void followListened(over, false, received.client, deps)
    },
  }
}

interface Received {
  uris: readonly string[]
  client: Client
}
