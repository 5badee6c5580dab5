import type { JournalLine } from './journal.ts'

/** What was called how often, how long it took, and what it cost; tokens are estimates. */
export interface Usage {
  /** Of tools, ours included; lists are no calls. */
  calls: number
  /** Calls whose outcome is not `ok`. */
  errors: number
  /** Milliseconds, to three digits; 0 where nothing was timed. */
  p50: number
  p95: number
  /** Of arguments, which models write. */
  tokensIn: number
  /** Of what was sent to clients. */
  tokensOut: number
  /** Of results and lists that were not sent; less than 0 where ours took more. */
  tokensSaved: number
}

/** Lines summed up. */
export interface Tally {
  add(line: JournalLine): void
  /** Count what another counted too. */
  include(other: Tally): void
  sum(): Usage
  readonly counted: Counted
}

interface Counted {
  usage: Omit<Usage, 'p50' | 'p95'>
  /** How often each time was taken. */
  times: ReadonlyMap<number, number>
}

export function createTally(): Tally {
  const usage = { calls: 0, errors: 0, tokensIn: 0, tokensOut: 0, tokensSaved: 0 }
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
    add({ outcome, ms, argsTokens = 0, sentTokens = 0, resultTokens, kind }) {
      const isList = kind === 'list'
      if (!isList) usage.calls++
      if (outcome !== 'ok') usage.errors++
      if (!isList) usage.tokensIn += argsTokens
      usage.tokensOut += sentTokens
      // What a list would have cost is not known before all servers are.
      if (!isList || resultTokens !== undefined)
        usage.tokensSaved += (resultTokens ?? 0) - sentTokens
      if (ms !== undefined) time(inThreeDigits(ms), 1)
    },
    include({ counted }) {
      for (const key of Object.keys(usage) as (keyof typeof usage)[])
        usage[key] += counted.usage[key]
      for (const [ms, count] of counted.times) time(ms, count)
    },
    sum: () => ({ ...usage, p50: at(0.5), p95: at(0.95) }),
  }
}

/** So that the times to be kept are few, however many calls there were. */
function inThreeDigits(ms: number): number {
  if (ms < 1_000) return ms
  const step = 10 ** (Math.floor(Math.log10(ms)) - 2)
  return Math.round(ms / step) * step
}
