import type { ServerResponse } from 'node:http'
import { type Principal, RejectedError } from '@pith-mcp/server-kit'
import { version } from '../../version.ts'
import type { LiveFeed } from './live-feed.ts'

/** Bytes buffered for a slow reader. Beyond it the stream is closed, and the client reconnects. */
const maxBuffered = 4 * 1024 * 1024
/** Open streams of one principal. */
const maxStreams = 200

/** Replies with the live events until the client disconnects. */
export function createStreams(
  live: LiveFeed,
  startedAt: string,
): (response: ServerResponse, principal: Principal) => void {
  const open = new Map<string, number>()
  const change = (key: string, by: number): void => {
    const count = (open.get(key) ?? 0) + by
    if (count > 0) open.set(key, count)
    else open.delete(key)
  }
  return (response, principal) => {
    const key = `${principal.kind} ${principal.id ?? principal.name ?? ''}`
    if ((open.get(key) ?? 0) >= maxStreams)
      throw new RejectedError(
        'many_streams',
        429,
        `You have ${maxStreams} event streams open, the maximum. Close one first.`,
      )
    change(key, 1)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    const hello = JSON.stringify({ version, startedAt })
    response.write(`retry: 2000\n\nevent: hello\ndata: ${hello}\n\n`)
    const stop = live.watch((text) => {
      if (response.writableLength > maxBuffered) response.destroy()
      else response.write(text)
    })
    response.once('close', () => {
      stop()
      change(key, -1)
    })
  }
}
