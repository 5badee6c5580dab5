import type { JournalLine } from '@pith-mcp/aggregator'
import type { DescribedServer } from '../schemas/server.ts'

/** What may have changed. */
type Changed = 'pins' | 'config' | 'tokens' | 'catalog' | 'sign-ins'

export interface LiveFeedOptions {
  /** All servers as they are now. */
  servers: () => DescribedServer[]
  /** Grows with changes that nobody tells of. */
  versions: () => Partial<Record<Changed, unknown>>
}

/** What happens, as it happens, for all who watch; made once for all of them. */
export interface LiveFeed {
  note(line: JournalLine): void
  changed(what: Changed): void
  /** Give each event of Server-Sent Events as text, until the returned function is called. */
  watch(listener: (text: string) => void): () => void
  close(): void
}

const everyMs = 250
/** Of one beat; the others are counted. */
const mostLines = 60
const beatsPerLook = 4
const beatsPerSign = 60

/** Nothing is done while nobody watches. */
export function createLiveFeed({ servers, versions }: LiveFeedOptions): LiveFeed {
  const listeners = new Set<(text: string) => void>()
  const changes = new Set<Changed>()
  let lines: JournalLine[] = []
  let skipped = 0
  let calls = 0
  let beats = 0
  let known = new Map<string, string>()
  let versionsSeen: Partial<Record<Changed, unknown>> = {}
  let timer: NodeJS.Timeout | undefined

  const send = (event: string, data: unknown): void => {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    for (const listener of listeners) listener(text)
  }

  function look(): void {
    const all = servers()
    const now = new Map(all.map((server) => [server.unit, JSON.stringify(server)] as const))
    const isListed = now.size === known.size && all.every(({ unit }) => known.has(unit))
    if (known.size > 0 && !isListed) changes.add('config')
    const different = all.filter(({ unit }) => now.get(unit) !== known.get(unit))
    if (different.length > 0 && known.size > 0) send('servers', { servers: different })
    known = now
    const versionsNow = versions()
    for (const [what, version] of Object.entries(versionsNow) as [Changed, unknown][])
      if (what in versionsSeen && versionsSeen[what] !== version) changes.add(what)
    versionsSeen = versionsNow
  }

  function beat(): void {
    beats++
    if (lines.length + skipped > 0) send('lines', { lines, skipped, calls })
    lines = []
    skipped = 0
    calls = 0
    if (beats % beatsPerLook === 0) look()
    if (changes.size > 0) send('changed', { what: [...changes] })
    changes.clear()
    if (beats % beatsPerSign === 0) for (const listener of listeners) listener(':\n\n')
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    lines = []
    known = new Map()
    versionsSeen = {}
    changes.clear()
  }

  return {
    note(line) {
      if (timer === undefined) return
      if (line.kind === 'call') calls++
      if (lines.length < mostLines) lines.push(line)
      else skipped++
    },
    changed: (what) => void changes.add(what),
    watch(listener) {
      listeners.add(listener)
      if (timer === undefined) {
        look()
        timer = setInterval(beat, everyMs)
        timer.unref()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    close() {
      listeners.clear()
      stop()
    },
  }
}
