import { type JournalLine, usageKinds } from './journal.ts'
import { createTally, type Tally, type Usage } from './tally.ts'

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
  /** The group with the most calls first. */
  groups: { name: string; usage: Usage }[]
  from: string | undefined
  to: string | undefined
}

/** Sums up lines of a journal by a common property. */
export async function usageOf(
  lines: AsyncIterable<JournalLine> | Iterable<JournalLine>,
  by: UsageGroup,
): Promise<UsageReport> {
  const total = createTally()
  const groups = new Map<string, Tally>()
  let from: string | undefined
  let to: string | undefined
  for await (const line of lines) {
    if (!usageKinds.includes(line.kind)) continue
    if (from === undefined || line.time < from) from = line.time
    if (to === undefined || line.time > to) to = line.time
    total.add(line)
    const name = groupOf(line, by)
    const group = groups.get(name) ?? createTally()
    groups.set(name, group)
    group.add(line)
  }
  return {
    total: total.sum(),
    groups: [...groups]
      .map(([name, tally]) => ({ name, usage: tally.sum() }))
      .sort((a, b) => b.usage.calls - a.usage.calls),
    from,
    to,
  }
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
