import type { JsonObject } from '#servers/protocol/message'
import { taskIdIn } from '#servers/protocol/tasks'

/** What the SDK sends, to which tasks of subscription streams are resources, with tasks again. */
export function resourcesAsTasks<T extends object>(message: T): T {
  const { method, params } = message as { method?: string; params?: JsonObject }
  if (method === 'notifications/subscriptions/acknowledged') {
    const { resourceSubscriptions, ...filter } = (params?.['notifications'] ?? {}) as JsonObject
    const uris = (resourceSubscriptions ?? []) as string[]
    const taskIds = uris.flatMap((uri) => taskIdIn(uri) ?? [])
    if (taskIds.length === 0) return message
    const resources = uris.filter((uri) => taskIdIn(uri) === undefined)
    const some = resources.length > 0 && { resourceSubscriptions: resources }
    return { ...message, params: { ...params, notifications: { ...filter, ...some, taskIds } } }
  }
  if (method !== 'notifications/resources/updated') return message
  const { uri, ...state } = params ?? {}
  const taskId = taskIdIn(String(uri))
  if (taskId === undefined) return message
  return { ...message, method: 'notifications/tasks', params: { ...state, taskId } }
}

/** Of a stream over HTTP, on which the SDK writes each message as one chunk. */
export function withTasks(response: Response): Response {
  const messages = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const rewrite = (data: string): string => JSON.stringify(resourcesAsTasks(JSON.parse(data)))
      const text = Buffer.from(chunk).toString()
      controller.enqueue(Buffer.from(text.replace(/(?<=^data: ).*$/m, rewrite)))
    },
  })
  return new Response(response.body?.pipeThrough(messages), response)
}
