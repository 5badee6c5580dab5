import { IntervalTallies, merged } from './interval-tallies.ts'
import { type JournalLine, usageKinds } from './journal.ts'
import type { JournalTail } from './journal-tail.ts'
import type { Usage } from './tally.ts'
import type { UsageGroup } from './usage.ts'

/** All intervals of a series. */
export const usageIntervals = ['minute', 'hour', 'day'] as const
/** The length of one point of a series. */
export type UsageInterval = (typeof usageIntervals)[number]

/** Usage over time; the group with the most calls first. */
export interface UsageSeries {
  interval: UsageInterval
  /** Beginnings of the intervals in ISO 8601, without gaps. */
  times: string[]
  /** One usage per interval. */
  series: { name: string; points: Usage[] }[]
}

export interface UsageOverTimeOptions {
  /** Of the journal, not read by anything else. */
  tail: JournalTail
  by: UsageGroup
  interval: UsageInterval
  /** Number of intervals until now, the current one included; at most 1,000. */
  intervals: number
  now?: (() => number) | undefined
}

/** Usage that is updated incrementally: `refresh` reads new lines only. */
export type UsageOverTime = ReturnType<typeof createUsageOverTime>

const msOf = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
const maxIntervals = 1_000

/** Counts usage by interval. Each call reads only what is new in the journal. */
export function createUsageOverTime(options: UsageOverTimeOptions) {
  const { tail, by, interval, now = Date.now } = options
  const width = msOf[interval]
  const count = Math.min(options.intervals, maxIntervals)
  const tallies = new IntervalTallies(by)
  let reading: Promise<void> | undefined

  const latest = (): number => Math.floor(now() / width)
  const oldest = (): number => latest() - count + 1
  const timeOf = (slot: number): string => new Date(slot * width).toISOString()

  function add(line: JournalLine): void {
    if (!usageKinds.includes(line.kind)) return
    const slot = Math.floor(Date.parse(line.time) / width)
    // Times from a wrong clock are skipped.
    if (slot >= oldest() && slot <= latest()) tallies.add(slot, line)
  }

  async function readNew(): Promise<void> {
    await tail.readNew(add, timeOf(oldest()).slice(0, 10))
    tallies.dropBefore(oldest())
  }

  const slotsOf = (intervals: number): number[] => {
    const requested = Math.min(intervals, count)
    return Array.from({ length: requested }, (_, index) => latest() - requested + 1 + index)
  }

  return {
    /** Reads new lines. Concurrent calls share one read. */
    refresh() {
      reading ??= readNew().finally(() => {
        reading = undefined
      })
      return reading
    },
    /** Groups beyond `limit` are combined as `others`. Covers the last `intervals`; default all. */
    series(limit: number, intervals: number = count) {
      const slots = slotsOf(intervals)
      const names = [...tallies.totals(slots).keys()]
      const groups = names.slice(0, limit).map((name) => ({ name, of: [name] }))
      const rest = names.slice(limit)
      const all = rest.length > 0 ? [...groups, { name: 'others', of: rest }] : groups
      return {
        interval,
        times: slots.map(timeOf),
        series: all.map(({ name, of }) => ({
          name,
          points: slots.map((slot) => tallies.sumOf(slot, of).sum()),
        })),
      }
    },
    report(limit: number, intervals: number = count) {
      const requested = slotsOf(intervals)
      const all = tallies.totals(requested)
      const slots = requested.filter((slot) => tallies.has(slot))
      return {
        total: merged([...all.values()]).sum(),
        groups: [...all].slice(0, limit).map(([name, tally]) => ({ name, usage: tally.sum() })),
        others: Math.max(0, all.size - limit),
        from: slots.length > 0 ? timeOf(Math.min(...slots)) : undefined,
        to: slots.length > 0 ? timeOf(Math.max(...slots) + 1) : undefined,
      }
    },
  }
}
