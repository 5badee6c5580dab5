import type { ServerResponse } from 'node:http'
import { type Admission, RefusedError, type Visitor } from '@pith-mcp/door'
import { version } from '../../version.ts'
import type { LiveFeed } from './live-feed.ts'

/** Of one who reads slower than it is written: it is to come again, and gets what is then. */
const mostWaiting = 4 * 1024 * 1024
/** Of one visitor: others are to have room. */
const mostStreams = 200
const checkMs = 1_000

/** Answers with what happens, until its visitor goes or may not watch any more. */
export function createStreams(
  live: LiveFeed,
  startedAt: string,
  admission: Admission,
): (response: ServerResponse, visitor: Visitor) => void {
  const open = new Map<string, number>()
  const change = (who: string, by: number): void => {
    const count = (open.get(who) ?? 0) + by
    if (count > 0) open.set(who, count)
    else open.delete(who)
  }
  return (response, visitor) => {
    const who = `${visitor.kind} ${visitor.id ?? visitor.name ?? ''}`
    if ((open.get(who) ?? 0) >= mostStreams)
      throw new RefusedError(
        'many_streams',
        429,
        `At most ${mostStreams} of yours may watch at once.`,
      )
    change(who, 1)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    const hello = JSON.stringify({ version, startedAt })
    response.write(`retry: 2000\n\nevent: hello\ndata: ${hello}\n\n`)
    const stop = live.watch((text) => {
      if (response.writableLength > mostWaiting) response.destroy()
      else response.write(text)
    })
    const check = setInterval(() => {
      if (!admission.isStillIn(visitor)) response.end()
    }, checkMs)
    check.unref()
    response.once('close', () => {
      clearInterval(check)
      stop()
      change(who, -1)
    })
  }
}
