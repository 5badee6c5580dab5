import {
  type JournalLine,
  type JournalLoss,
  type JournalReader,
  refusals,
} from '@pith-mcp/aggregator'
import type { State } from '../open/open-state.ts'

/** What a client did that gave its name; times in ISO 8601. */
export interface ClientActivity {
  lastSeen: string
  lastCall?: string | undefined
}

export type Activity = ReturnType<ReturnType<typeof createActivity>['now']>

/** Anybody can give any name: later ones are not counted. */
const maxClients = 1_000
const maxGaps = 1_000
const minuteMs = 60_000
const dayMs = 86_400_000

/** Sums up lines as they are read. */
export function createActivity() {
  const refused = createWindow(24 * 60)
  const calls = createWindow(60)
  const failures = createWindow(60)
  const gaps: JournalLoss[] = []
  const clients = new Map<string, ClientActivity>()
  const seeClient = (name: string, { time, kind }: JournalLine): void => {
    const { lastSeen = '', lastCall = '' } = clients.get(name) ?? {}
    if (lastSeen === '' && clients.size >= maxClients) return
    const isCall = kind === 'call' || kind === 'meta'
    clients.set(name, {
      lastSeen: time > lastSeen ? time : lastSeen,
      lastCall: (isCall && time > lastCall ? time : lastCall) || undefined,
    })
  }
  return {
    add(line: JournalLine): void {
      const { kind, outcome, module, client, time, count = 1, message = '' } = line
      const isRefused = refusals.includes(outcome)
      if (client) seeClient(client, line)
      // An event that says that a tool is held is no refused call.
      if (outcome === 'rejected' || (isRefused && kind !== 'event')) refused.add(outcome, line)
      if (outcome === 'journal_gap' && gaps.length < maxGaps)
        gaps.push({ lines: count, message, time })
      if (module === undefined || isRefused || (kind !== 'call' && kind !== 'read')) return
      calls.add(module, line)
      if (outcome !== 'ok') failures.add(module, line)
    },
    now: () => ({
      /** Refused calls by their outcome, and `rejected` requests, of 24 hours. */
      refused: refused.sums(),
      /** By server, of an hour. */
      calls: calls.sums(),
      failures: failures.sums(),
      /** Lines that are missing, as far as lines were read. */
      gaps,
      /** By the names that clients give themselves. */
      clients: clients as ReadonlyMap<string, ClientActivity>,
    }),
  }
}

/** Counts by name and minute, of the last `minutes`. */
function createWindow(minutes: number) {
  const slots = new Map<number, Map<string, number>>()
  const isRecent = (slot: number): boolean => {
    const age = Math.floor(Date.now() / minuteMs) - slot
    return age >= 0 && age < minutes
  }
  return {
    add(name: string, { time, count = 1 }: JournalLine): void {
      const slot = Math.floor(Date.parse(time) / minuteMs)
      if (!isRecent(slot)) return
      const counts = slots.get(slot) ?? new Map<string, number>()
      slots.set(slot, counts.set(name, (counts.get(name) ?? 0) + count))
    },
    sums(): ReadonlyMap<string, number> {
      const sums = new Map<string, number>()
      for (const [slot, counts] of slots)
        if (!isRecent(slot)) slots.delete(slot)
        else for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count)
      return sums
    },
  }
}

const followers = new WeakMap<JournalReader, Map<number, () => Promise<Activity>>>()

/** The activity of the last days. Of one reader, each call reads only what is new. */
export function activityOf(
  { journalReader: reader }: Pick<State, 'journalReader'>,
  days: number,
): Promise<Activity> {
  if (reader === undefined) return Promise.resolve(createActivity().now())
  const byDays = followers.get(reader) ?? new Map<number, () => Promise<Activity>>()
  const follow = byDays.get(days) ?? createFollower(reader, days)
  followers.set(reader, byDays.set(days, follow))
  return follow()
}

function createFollower(reader: JournalReader, days: number): () => Promise<Activity> {
  const tail = reader.tail()
  const activity = createActivity()
  let reading: Promise<void> | undefined
  return async () => {
    const firstDay = new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)
    reading ??= tail.readNew(activity.add, firstDay).finally(() => {
      reading = undefined
    })
    // While a database does not answer, what was read before counts.
    await reading.catch(() => {})
    return activity.now()
  }
}
