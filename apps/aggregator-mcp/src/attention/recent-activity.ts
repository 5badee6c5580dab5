import {
  createApprovals,
  type JournalLine,
  type JournalLoss,
  type JournalReader,
  refusals,
} from '@pith-mcp/aggregator'
import type { State } from '../open/open-state.ts'

/** When a client was seen that gave its name, in ISO 8601. */
export interface ClientTimes {
  lastSeen?: string | undefined
  lastCall?: string | undefined
}

export type Activity = ReturnType<ReturnType<typeof createActivity>['now']> & {
  /** Calls that wait for approval, or why that is not known. */
  waitingCalls?: number | Error
}

/** Anybody can give any name: later ones are not counted. */
const maxClients = 1_000
const maxGaps = 1_000
const minutesOf = { hour: 60, day: 24 * 60 }

/** Sums up lines as they are read. */
export function createActivity() {
  const minutes = new Map<number, Map<string, number>>()
  const gaps: JournalLoss[] = []
  const clients = new Map<string, ClientTimes>()
  const minuteOf = (time: number): number => Math.floor(time / 60_000)

  function count(name: string, { time, count = 1 }: JournalLine): void {
    const minute = minuteOf(Date.parse(time))
    if (!(minute > minuteOf(Date.now()) - minutesOf.day)) return
    const counts = minutes.get(minute) ?? new Map<string, number>()
    minutes.set(minute, counts.set(name, (counts.get(name) ?? 0) + count))
  }

  function see(name: string, { time, kind }: JournalLine): void {
    const { lastSeen = '', lastCall = '' } = clients.get(name) ?? {}
    if (lastSeen === '' && clients.size >= maxClients) return
    const isCall = (kind === 'call' || kind === 'meta') && time > lastCall
    const call = isCall ? time : lastCall
    clients.set(name, { lastSeen: time > lastSeen ? time : lastSeen, lastCall: call || undefined })
  }

  function sumsOf(period: keyof typeof minutesOf): ReadonlyMap<string, number> {
    const sums = new Map<string, number>()
    const latest = minuteOf(Date.now())
    for (const [minute, counts] of minutes)
      if (minute <= latest - minutesOf.day) minutes.delete(minute)
      else if (minute > latest - minutesOf[period] && minute <= latest)
        for (const [name, sum] of counts) sums.set(name, (sums.get(name) ?? 0) + sum)
    return sums
  }

  return {
    add(line: JournalLine): void {
      const { kind, outcome, module, client, time, count: lines = 1, message = '' } = line
      if (client) see(client, line)
      if (outcome === 'journal_gap' && gaps.length < maxGaps) gaps.push({ lines, message, time })
      // An event that says that a tool is held is no refused call.
      const isRefused = refusals.includes(outcome)
      if (outcome === 'unknown') count(outcome, line)
      if (outcome === 'rejected' || (isRefused && kind !== 'event')) count(outcome, line)
      if (module === undefined || isRefused || (kind !== 'call' && kind !== 'read')) return
      count(`calls ${module}`, line)
      if (outcome !== 'ok') count(`failures ${module}`, line)
    },
    /** `calls` and `failures` of servers, and refused requests by outcome; gaps and clients of all lines. */
    now: () => ({ hour: sumsOf('hour'), day: sumsOf('day'), gaps, clients }),
  }
}

const periodsByReader = new WeakMap<JournalReader, Map<number, () => Promise<Activity>>>()

/** The activity of the last days. Of one reader and period, each call reads only what is new. */
export async function activityOf(
  { journalReader: reader, approvals }: Pick<State, 'journalReader' | 'approvals'>,
  days: number,
): Promise<Activity> {
  const [activity, waitingCalls] = await Promise.all([
    journaledActivity(reader, days),
    countWaiting(approvals),
  ])
  return { ...activity, waitingCalls }
}

const countWaiting = (store: State['approvals']): Promise<number | Error> =>
  createApprovals(store)
    .list()
    .then((all) => all.filter(({ state }) => state === 'waiting').length)
    .catch((error: Error) => error)

async function journaledActivity(
  reader: JournalReader | undefined,
  days: number,
): Promise<Activity> {
  if (reader === undefined) return createActivity().now()
  const periods = periodsByReader.get(reader) ?? new Map<number, () => Promise<Activity>>()
  periodsByReader.set(reader, periods)
  const follow = periods.get(days) ?? followerOf(reader, days)
  periods.set(days, follow)
  return follow()
}

function followerOf(reader: JournalReader, days: number): () => Promise<Activity> {
  const tail = reader.tail()
  const { add, now } = createActivity()
  let reading: Promise<void> | undefined
  return async () => {
    const firstDay = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    // While a database does not answer, what was read before counts. Concurrent calls share one read.
    reading ??= tail
      .readNew(add, firstDay)
      .catch(() => {})
      .finally(() => {
        reading = undefined
      })
    await reading
    return now()
  }
}
