import type { Client, SubscriptionFilter } from '@modelcontextprotocol/client'
import type { Era, Fields, Message } from '../../protocol/message.ts'

type Request = (message: Message, options: { signal: AbortSignal }) => Promise<Fields>
type Subscription = Awaited<ReturnType<Client['listen']>>

const firstPauseMs = 1_000
const longestPauseMs = 60_000
const timeoutMs = 30_000

/**
 * Tells the server which resources are followed. One of 2025 is told of each; later ones keep a
 * stream open, for changes of lists too, which is opened again when the server ends it.
 */
export function followChanges(
  client: Client,
  era: Era,
  capabilities: Fields,
  request: Request,
): (uris: readonly string[]) => Promise<void> {
  const follow = era === 'legacy' ? followEach(request) : followByStream(client, capabilities)
  // One after another, since each builds on what the one before has done.
  let before: Promise<void> = Promise.resolve()
  return (uris) => {
    const done = before.then(() => follow(uris))
    before = done.catch(() => {})
    return done
  }
}

function followEach(request: Request): (uris: readonly string[]) => Promise<void> {
  const followed = new Set<string>()
  const tell = (method: string, uri: string): Promise<Fields> =>
    request({ method, params: { uri } }, { signal: AbortSignal.timeout(timeoutMs) })
  return async (uris) => {
    const wanted = new Set(uris)
    const over = [...followed].filter((uri) => !wanted.has(uri))
    const added = uris.filter((uri) => !followed.has(uri))
    // One that is refused does not keep the others from being followed.
    const outcomes = await Promise.allSettled([
      ...over.map(async (uri) => {
        followed.delete(uri)
        await tell('resources/unsubscribe', uri)
      }),
      ...added.map(async (uri) => {
        await tell('resources/subscribe', uri)
        followed.add(uri)
      }),
    ])
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
}

function followByStream(
  client: Client,
  capabilities: Fields,
): (uris: readonly string[]) => Promise<void> {
  let current: Subscription | undefined
  let pauseMs = firstPauseMs
  const changing = (kind: string): boolean =>
    (capabilities[kind] as { listChanged?: boolean } | undefined)?.listChanged === true

  async function listen(uris: readonly string[]): Promise<void> {
    const filter: SubscriptionFilter = {
      ...(changing('tools') && { toolsListChanged: true }),
      ...(changing('prompts') && { promptsListChanged: true }),
      ...(changing('resources') && { resourcesListChanged: true }),
      ...(uris.length > 0 && { resourceSubscriptions: [...uris] }),
    }
    const before = current
    current = undefined
    if (Object.keys(filter).length > 0) {
      const opened = await client.listen(filter, { timeout: timeoutMs })
      current = opened
      const openedAt = performance.now()
      void opened.closed.then((cause) => {
        if (current !== opened || cause === 'local' || client.transport === undefined) return
        if (performance.now() - openedAt > longestPauseMs) pauseMs = firstPauseMs
        setTimeout(() => void listen(uris).catch(() => {}), pauseMs).unref()
        pauseMs = Math.min(longestPauseMs, pauseMs * 2)
      })
    }
    await before?.close()
  }

  return listen
}
