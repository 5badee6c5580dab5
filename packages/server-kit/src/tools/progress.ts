import type { ServerContext } from '@modelcontextprotocol/server'
import { amount } from './amount.ts'
import type { ToolCall } from './tool.ts'

type Request = ServerContext['mcpReq']

/** Milliseconds between notifications: clients show them, and a call may make thousands. */
const intervalMs = 500

/** The progress that each running request has not sent. */
const unsent = new WeakMap<Request, () => Promise<void>>()

/** Reports the progress of a request, at most every half second; undefined if the client does not want it. */
export function progressOf(request: Request, counted: string): ToolCall['onProgress'] {
  const progressToken = request._meta?.progressToken
  if (progressToken === undefined) return undefined
  let sentAt = Number.NEGATIVE_INFINITY
  return ({ done, total }) => {
    const message = total > 0 ? `${done} of ${total} ${counted}s` : amount(done, counted)
    const params = { progressToken, progress: done, message, ...(total > 0 && { total }) }
    const send = () => request.notify({ method: 'notifications/progress', params }).catch(() => {})
    if (performance.now() - sentAt < intervalMs) {
      unsent.set(request, send)
      return
    }
    sentAt = performance.now()
    unsent.delete(request)
    void send()
  }
}

/** Sends the last progress of a request, before its result. */
export async function endProgress(request: Request): Promise<void> {
  await unsent.get(request)?.()
  unsent.delete(request)
}
