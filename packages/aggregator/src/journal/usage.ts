import type { JournalLine } from './journal.ts'

/** What was called how often, how long it took, and what it cost; tokens are estimates. */
export interface Usage {
  calls: number
  /** Calls whose outcome is not `ok`. */
  errors: number
  /** Milliseconds; 0 where nothing was timed. */
  p50: number
  p95: number
  /** Of arguments, which models write. */
  tokensIn: number
  /** Of what was sent to clients. */
  tokensOut: number
  /** Of results and lists that were not sent; less than 0 where ours took more. */
  tokensSaved: number
}

export const usageGroups = [
  'server',
  'tool',
  'account',
  'day',
  'caller',
  'profile',
  'outcome',
] as const
export type UsageGroup = (typeof usageGroups)[number]

export interface UsageReport {
  total: Usage
  /** The most called first. */
  groups: { name: string; usage: Usage }[]
  from: string | undefined
  to: string | undefined
}

/** Times of one group; beyond them a sample that stands for all. */
const mostTimes = 20_000

/** Sum up lines of a journal by one thing they have in common. */
export async function usageOf(
  lines: AsyncIterable<JournalLine> | Iterable<JournalLine>,
  by: UsageGroup,
): Promise<UsageReport> {
  const total = createTally()
  const groups = new Map<string, Tally>()
  let from: string | undefined
  let to: string | undefined
  for await (const line of lines) {
    if (line.kind === 'event') continue
    if (from === undefined || line.time < from) from = line.time
    if (to === undefined || line.time > to) to = line.time
    total.add(line)
    const name = nameIn(line, by)
    const group = groups.get(name) ?? createTally()
    groups.set(name, group)
    group.add(line)
  }
  return {
    total: total.sum(),
    groups: [...groups]
      .map(([name, tally]) => ({ name, usage: tally.sum() }))
      .sort((one, other) => other.usage.calls - one.usage.calls),
    from,
    to,
  }
}

function nameIn(line: JournalLine, by: UsageGroup): string {
  const own = line.kind === 'list' ? '(lists)' : '(own tools)'
  switch (by) {
    case 'server':
      return line.module ?? own
    case 'tool':
      return line.module === undefined ? (line.tool ?? own) : `${line.module}.${line.tool}`
    case 'account':
      return line.module === undefined ? own : `${line.module}@${line.account ?? '-'}`
    case 'day':
      return line.time.slice(0, 10)
    case 'outcome':
      return line.outcome
    default:
      return line[by] ?? '-'
  }
}

interface Tally {
  add(line: JournalLine): void
  sum(): Usage
}

function createTally(): Tally {
  const usage = { calls: 0, errors: 0, tokensIn: 0, tokensOut: 0, tokensSaved: 0 }
  const times: number[] = []
  let timed = 0
  return {
    add({ outcome, ms, argsTokens = 0, sentTokens = 0, resultTokens = 0, kind }) {
      usage.calls++
      if (outcome !== 'ok') usage.errors++
      if (kind !== 'list') usage.tokensIn += argsTokens
      usage.tokensOut += sentTokens
      usage.tokensSaved += resultTokens - sentTokens
      if (ms === undefined) return
      timed++
      if (times.length < mostTimes) times.push(ms)
      else {
        const at = Math.floor(Math.random() * timed)
        if (at < mostTimes) times[at] = ms
      }
    },
    sum() {
      times.sort((one, other) => one - other)
      const at = (share: number): number =>
        times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
      return { ...usage, p50: at(0.5), p95: at(0.95) }
    },
  }
}
