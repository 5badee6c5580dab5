import type { ServerResponse } from 'node:http'
import type { JournalLine } from '@pith-mcp/aggregator'
import { type Principal, RejectedError } from '@pith-mcp/server-kit'

export interface LiveFeedOptions {
  /** The current state of all servers. */
  servers: () => readonly { unit: string }[]
  /** Versions of what changes without a notification; polled. */
  versions: () => Readonly<Record<string, unknown>>
}

export type LiveFeed = ReturnType<typeof createLiveFeed>

/** Milliseconds between ticks. */
const tickMs = 250
/** Lines per tick; more are only counted. */
const maxLines = 25
const ticksPerPoll = 4
const ticksPerKeepAlive = 60

/** Live events, computed once for all listeners. Does nothing without listeners. */
export function createLiveFeed({ servers, versions }: LiveFeedOptions) {
  const listeners = new Set<(text: string) => void>()
  const changed = new Set<string>()
  let lines: JournalLine[] = []
  let skipped = 0
  let calls = 0
  let ticks = 0
  let previous = new Map<string, string>()
  let versionsSeen: Readonly<Record<string, unknown>> = {}
  let timer: NodeJS.Timeout | undefined

  const send = (event: string, data: unknown): void => {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    for (const listener of listeners) listener(text)
  }

  function poll(): void {
    const all = servers()
    const now = new Map(all.map((server) => [server.unit, JSON.stringify(server)] as const))
    const isListed = now.size === previous.size && all.every(({ unit }) => previous.has(unit))
    if (previous.size > 0 && !isListed) changed.add('config')
    const different = all.filter(({ unit }) => now.get(unit) !== previous.get(unit))
    if (different.length > 0 && previous.size > 0) send('servers', { servers: different })
    previous = now
    const versionsNow = versions()
    for (const [what, version] of Object.entries(versionsNow))
      if (what in versionsSeen && versionsSeen[what] !== version) changed.add(what)
    versionsSeen = versionsNow
  }

  function tick(): void {
    ticks++
    if (lines.length + skipped > 0) send('lines', { lines, skipped, calls })
    lines = []
    skipped = 0
    calls = 0
    if (ticks % ticksPerPoll === 0) poll()
    if (changed.size > 0) send('changed', { what: [...changed] })
    changed.clear()
    if (ticks % ticksPerKeepAlive === 0) for (const listener of listeners) listener(':\n\n')
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    lines = []
    previous = new Map()
    versionsSeen = {}
    changed.clear()
  }

  return {
    record(line: JournalLine): void {
      if (timer === undefined) return
      if (line.kind === 'call') calls++
      if (lines.length < maxLines) lines.push(line)
      else skipped++
    },
    changed: (what: string) => void changed.add(what),
    /** Pass each Server-Sent Event as text, until the returned function is called. */
    watch(listener: (text: string) => void): () => void {
      listeners.add(listener)
      if (timer === undefined) {
        poll()
        timer = setInterval(tick, tickMs)
        timer.unref()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    close(): void {
      listeners.clear()
      stop()
    },
  }
}

/** Bytes buffered for a slow reader. Beyond it the stream is closed, and the client reconnects. */
const maxBuffered = 4 * 1024 * 1024
/** Open streams of one principal. */
const maxStreams = 200

/** Replies with the live events until the client disconnects. */
export function createStreams(
  live: LiveFeed,
  { version, startedAt }: { version: string; startedAt: string },
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
