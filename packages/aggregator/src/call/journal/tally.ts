import { type JournalLine, refusals } from './journal.ts'

/** Number of calls, durations and costs; tokens are estimates. */
export interface Usage {
  /** Calls of tools, our own included, and reads; lists and refused calls do not count. */
  calls: number
  /** Calls whose outcome is not `ok`. */
  errors: number
  /** Calls that a rule or limit refused. */
  refused: number
  /** Milliseconds, rounded to three digits; 0 without any duration. */
  p50: number
  p95: number
  /** Tokens of arguments, which models write. */
  tokensIn: number
  /** Tokens sent to clients. */
  tokensOut: number
  /** Tokens of results and lists that were not sent; negative if ours took more. */
  tokensSaved: number
}

/** Sums up lines. */
export type Tally = ReturnType<typeof createTally>

interface Counted {
  usage: Omit<Usage, 'p50' | 'p95'>
  /** Number of lines by duration. */
  times: ReadonlyMap<number, number>
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
    let left = Math.floor(timed * share)
    for (const [ms, count] of [...times].sort(([one], [other]) => one - other)) {
      left -= count
      if (left < 0) return ms
    }
    return 0
  }

  return {
    counted: { usage, times },
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
    include({ counted }: { counted: Counted }) {
      for (const key of Object.keys(usage) as (keyof typeof usage)[])
        usage[key] += counted.usage[key]
      for (const [ms, count] of counted.times) time(ms, count)
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
