import type { JournalLine } from './journal.ts'
import { createTally, type Tally } from './tally.ts'
import { groupOf, type UsageGroup } from './usage.ts'

/** Each group has a tally per interval. */
const maxGroups = 500

/** Tallies by interval, then by group. Intervals are numbered from 1970. */
export class IntervalTallies {
  readonly #by: UsageGroup
  readonly #tallies = new Map<number, Map<string, Tally>>()

  constructor(by: UsageGroup) {
    this.#by = by
  }

  add(interval: number, line: JournalLine): void {
    const groups = this.#tallies.get(interval) ?? new Map<string, Tally>()
    this.#tallies.set(interval, groups)
    const name = groupOf(line, this.#by)
    const group = groups.has(name) || groups.size < maxGroups ? name : '(more)'
    const tally = groups.get(group) ?? createTally()
    groups.set(group, tally)
    tally.add(line)
  }

  has(interval: number): boolean {
    return this.#tallies.has(interval)
  }

  /** The sum of some groups in one interval. */
  sumOf(interval: number, groups: readonly string[]): Tally {
    return merged(groups.map((group) => this.#tallies.get(interval)?.get(group)))
  }

  /** The sums of all groups over some intervals, the most calls first. */
  totals(intervals: readonly number[]): Map<string, Tally> {
    const all = new Map<string, Tally>()
    for (const interval of intervals)
      for (const [name, tally] of this.#tallies.get(interval) ?? []) {
        const total = all.get(name) ?? createTally()
        all.set(name, total)
        total.include(tally.counts())
      }
    return new Map([...all].sort(([, a], [, b]) => b.calls() - a.calls()))
  }

  dropBefore(oldest: number): void {
    for (const interval of this.#tallies.keys())
      if (interval < oldest) this.#tallies.delete(interval)
  }
}

export function merged(tallies: readonly (Tally | undefined)[]): Tally {
  const sum = createTally()
  for (const tally of tallies) if (tally) sum.include(tally.counts())
  return sum
}
