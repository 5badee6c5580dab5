import { type JournalLine, usageKinds } from './journal.ts'
import { createTally, type Tally, type TallyCounts, type Usage } from './tally.ts'

/** All properties that usage can be grouped by. */
export const usageGroups = [
  'server',
  'tool',
  'account',
  'day',
  'caller',
  'profile',
  'outcome',
] as const
/** The property that usage is grouped by. */
export type UsageGroup = (typeof usageGroups)[number]

/** Usage in total and by group, from the first to the last counted line. */
export interface UsageReport {
  total: Usage
  /** The group with the most calls first; those with as many by name. */
  groups: { name: string; usage: Usage }[]
  from: string | undefined
  to: string | undefined
}

/** The counts of groups of lines, and the first and last time. */
export interface UsageSums {
  from?: string | undefined
  to?: string | undefined
  groups: [name: string, counts: TallyCounts][]
}

/** Sums up lines by a common property. */
export function createUsage(by: UsageGroup) {
  const groups = new Map<string, Tally>()
  let from: string | undefined
  let to: string | undefined

  function groupNamed(name: string): Tally {
    const group = groups.get(name) ?? createTally()
    groups.set(name, group)
    return group
  }

  function span(first: string, last: string): void {
    if (from === undefined || first < from) from = first
    if (to === undefined || last > to) to = last
  }

  return {
    add(line: JournalLine) {
      if (!usageKinds.includes(line.kind)) return
      span(line.time, line.time)
      groupNamed(groupOf(line, by)).add(line)
    },
    /** Adds the counts of other lines, to their own groups or to one. */
    include(sums: UsageSums, group = '') {
      if (sums.from && sums.to) span(sums.from, sums.to)
      for (const [name, counts] of sums.groups) groupNamed(group || name).include(counts)
    },
    sums: (): UsageSums => ({
      from,
      to,
      groups: [...groups].map(([name, tally]) => [name, tally.counts()]),
    }),
    report(): UsageReport {
      const total = createTally()
      for (const tally of groups.values()) total.include(tally.counts())
      return {
        total: total.sum(),
        groups: [...groups]
          .map(([name, tally]) => ({ name, usage: tally.sum() }))
          .sort((a, b) => b.usage.calls - a.usage.calls || (a.name < b.name ? -1 : 1)),
        from,
        to,
      }
    },
  }
}

/** Sums up lines of a journal by a common property. */
export async function usageOf(
  lines: AsyncIterable<JournalLine> | Iterable<JournalLine>,
  by: UsageGroup,
): Promise<UsageReport> {
  const usage = createUsage(by)
  for await (const line of lines) usage.add(line)
  return usage.report()
}

/** Lines that are not of a server. */
const ownGroups: Readonly<Record<string, string>> = { list: '(lists)', read: '(reads)' }

/** The group of a line. */
export function groupOf(line: JournalLine, by: UsageGroup): string {
  const group = ownGroups[line.kind] ?? '(meta-tools)'
  switch (by) {
    case 'server':
      return line.module ?? group
    case 'tool':
      return line.module === undefined ? (line.tool ?? group) : `${line.module}.${line.tool}`
    case 'account':
      return line.module === undefined ? group : `${line.module}@${line.account ?? '-'}`
    case 'day':
      return line.time.slice(0, 10)
    case 'outcome':
      return line.outcome
    default:
      return line[by] ?? '-'
  }
}
