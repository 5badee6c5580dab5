import { z } from 'zod'
import { type JournalLine, refusals } from './journal.ts'

/** Number of calls, durations and costs; tokens are estimates. */
export const usage = z.object({
  /** Calls of tools, our own included, and reads; lists and refused calls do not count. */
  calls: z.int(),
  /** Calls whose outcome is not `ok`. */
  errors: z.int(),
  refused: z.int().describe('Calls that a rule or limit refused; not counted as calls.'),
  /** Rounded to three digits; 0 without any duration. */
  p50: z.number().describe('Median latency in milliseconds.'),
  p95: z.number().describe('95th percentile of the latency in milliseconds.'),
  /** Tokens of arguments, which models write. */
  tokensIn: z.int(),
  /** Tokens sent to clients. */
  tokensOut: z.int(),
  /** Negative if ours took more. */
  tokensSaved: z.int().describe('Tokens of results and tool lists that were not sent.'),
})

/** Calls, errors, latency and tokens of a period. */
export type Usage = z.output<typeof usage>

/** Sums up lines. */
export type Tally = ReturnType<typeof createTally>

/** What a tally has counted. */
export interface TallyCounts {
  usage: Omit<Usage, 'p50' | 'p95'>
  /** A duration, its number of lines, the next duration and so on. */
  times: readonly number[]
}

export function createTally() {
  const usage = { calls: 0, errors: 0, refused: 0, tokensIn: 0, tokensOut: 0, tokensSaved: 0 }
  const times = new Map<number, number>()
  let timed = 0

  function time(ms: number, count: number): void {
    times.set(ms, (times.get(ms) ?? 0) + count)
    timed += count
  }

  function at(share: number): number {
    let rank = Math.floor(timed * share)
    for (const [ms, count] of [...times].sort(([a], [b]) => a - b)) {
      rank -= count
      if (rank < 0) return ms
    }
    return 0
  }

  return {
    calls: () => usage.calls,
    counts: (): TallyCounts => ({ usage, times: [...times].flat() }),
    add({ outcome, ms, argsTokens = 0, sentTokens = 0, resultTokens, kind }: JournalLine) {
      const isList = kind === 'list'
      if (refusals.includes(outcome)) {
        usage.refused++
        usage.tokensIn += argsTokens
        usage.tokensOut += sentTokens
        return
      }
      if (!isList) usage.calls++
      if (outcome !== 'ok') usage.errors++
      if (!isList) usage.tokensIn += argsTokens
      usage.tokensOut += sentTokens
      // Of a list of an earlier version, what it would cost may be unknown.
      if (!isList || resultTokens !== undefined)
        usage.tokensSaved += (resultTokens ?? 0) - sentTokens
      if (ms !== undefined) time(inThreeDigits(ms), 1)
    },
    /** Adds the counts of another tally. */
    include(counts: TallyCounts) {
      for (const key of Object.keys(usage) as (keyof typeof usage)[])
        usage[key] += counts.usage[key]
      for (let at = 0; at < counts.times.length; at += 2)
        time(counts.times[at] ?? 0, counts.times[at + 1] ?? 0)
    },
    sum: (): Usage => ({ ...usage, p50: at(0.5), p95: at(0.95) }),
  }
}

/** Limits the number of distinct durations. */
function inThreeDigits(ms: number): number {
  if (ms < 1_000) return ms
  const step = 10 ** (Math.floor(Math.log10(ms)) - 2)
  return Math.round(ms / step) * step
}
