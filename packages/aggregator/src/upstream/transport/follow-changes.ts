import type { Client, SubscriptionFilter } from '@modelcontextprotocol/client'
import type { Era, JsonObject, Message } from '#servers/protocol/message'
import { taskIdIn } from '#servers/protocol/tasks'

type Request = (message: Message, options: { signal: AbortSignal }) => Promise<JsonObject>
type Subscription = Awaited<ReturnType<Client['listen']>>

const firstPauseMs = 1_000
const maxPauseMs = 60_000
const timeoutMs = 30_000

/**
 * Subscribes to resources. A server of 2025 gets one request per resource. A later one gets a
 * single stream, also for list changes and tasks; it is opened again when the server ends it.
 */
export function followChanges(
  client: Client,
  era: Era,
  capabilities: JsonObject,
  request: Request,
): (uris: readonly string[]) => Promise<void> {
  const follow = era === 'legacy' ? followEach(request) : followByStream(client, capabilities)
  // In sequence: each call builds on the previous one.
  let before: Promise<void> = Promise.resolve()
  return (uris) => {
    const done = before.then(() => follow(uris))
    before = done.catch(() => {})
    return done
  }
}

function followEach(request: Request): (uris: readonly string[]) => Promise<void> {
  const followed = new Set<string>()
  const log = (method: string, uri: string): Promise<JsonObject> =>
    request({ method, params: { uri } }, { signal: AbortSignal.timeout(timeoutMs) })
  return async (all) => {
    const uris = all.filter(isResource)
    const requestedUris = new Set(uris)
    const over = [...followed].filter((uri) => !requestedUris.has(uri))
    const added = uris.filter((uri) => !followed.has(uri))
    // A rejected subscription must not prevent the others.
    const outcomes = await Promise.allSettled([
      ...over.map(async (uri) => {
        followed.delete(uri)
        await log('resources/unsubscribe', uri)
      }),
      ...added.map(async (uri) => {
        await log('resources/subscribe', uri)
        followed.add(uri)
      }),
    ])
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
}

function followByStream(
  client: Client,
  capabilities: JsonObject,
): (uris: readonly string[]) => Promise<void> {
  let current: Subscription | undefined
  let pauseMs = firstPauseMs
  const changing = (kind: string): boolean =>
    (capabilities[kind] as { listChanged?: boolean } | undefined)?.listChanged === true

  async function listen(uris: readonly string[]): Promise<void> {
    const resources = uris.filter(isResource)
    const taskIds = uris.flatMap((uri) => taskIdIn(uri) ?? [])
    const filter: SubscriptionFilter & { taskIds?: string[] } = {
      ...(changing('tools') && { toolsListChanged: true }),
      ...(changing('prompts') && { promptsListChanged: true }),
      ...(changing('resources') && { resourcesListChanged: true }),
      ...(resources.length > 0 && { resourceSubscriptions: resources }),
      ...(taskIds.length > 0 && { taskIds }),
    }
    const before = current
    current = undefined
    if (Object.keys(filter).length > 0) {
      const opened = await client.listen(filter, { timeout: timeoutMs })
      current = opened
      const openedAt = performance.now()
      void opened.closed.then((cause) => {
        if (current !== opened || cause === 'local' || client.transport === undefined) return
        if (performance.now() - openedAt > maxPauseMs) pauseMs = firstPauseMs
        setTimeout(() => void listen(uris).catch(() => {}), pauseMs).unref()
        pauseMs = Math.min(maxPauseMs, pauseMs * 2)
      })
    }
    await before?.close()
  }

  return listen
}

const isResource = (uri: string): boolean => taskIdIn(uri) === undefined
