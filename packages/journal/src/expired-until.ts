import type { JournalLine } from './journal.ts'

/** Days in a row without lines count as at most this many: a clock that jumps leaves such a pause. */
const maxPauseDays = 7
/** A longer pause may be such a jump. */
const longPauseDays = 14
/** Days with lines that prove a clock right. A clock that is wrong for a week makes fewer. */
const proofDays = 10

export const dayAfter = (time: string, days = 1): string =>
  new Date(Date.parse(time.slice(0, 10)) + days * 86_400_000).toISOString().slice(0, 10)

const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000

interface Look {
  /** By the clock, which may be wrong. */
  today: string
  /** Days with lines, ascending. */
  days: readonly string[]
  retentionDays: number
}

/** The day under which lines are kept if the clock is behind the journal. */
export const keptUnder = ({ today, days }: Omit<Look, 'retentionDays'>): string | undefined =>
  days.filter((day) => day > dayAfter(today)).length >= proofDays ? days.at(-1) : undefined

/**
 * The last expired day, and the newest one, which counts as today. Nothing is expired while the
 * clock contradicts the journal. Fewer days than `proofDays` after today are of a clock that was
 * ahead, and do not count.
 */
export function expiredUntil(look: Look): { expired?: string; newest: string } {
  const { today, days, retentionDays } = look
  const history = days.filter((day) => day <= dayAfter(today))
  const newest = history.at(-1) ?? ''
  if (keptUnder(look) !== undefined || hasJumped([...history, today])) return { newest }
  let passed = 0
  for (const [index, day] of history.slice(0, -1).reverse().entries()) {
    passed += Math.min(daysBetween(day, history[history.length - 1 - index] ?? day), maxPauseDays)
    if (passed > retentionDays) return { expired: day, newest }
  }
  return { newest }
}

/** Too few days since the first long pause: it may be the clock's. */
function hasJumped(days: readonly string[]): boolean {
  const all = [...new Set(days)].sort()
  const first = all.findIndex((day, at) => daysBetween(all[at - 1] ?? day, day) > longPauseDays)
  return first > 0 && all.length - first < proofDays
}

/** What was removed of one day. */
export interface Removal {
  day: string
  lines: number
  bytes: number
  reason: 'retentionDays' | 'maxMegabytes'
}

export const removalLine = ({ day, lines, bytes, reason }: Removal, time: Date): JournalLine => ({
  time: time.toISOString(),
  kind: 'admin',
  via: 'retention',
  tool: `remove ${day}`,
  outcome: 'ok',
  reason,
  count: lines,
  message: `${lines} ${lines === 1 ? 'line' : 'lines'} of ${day}, ${bytes} bytes: ${reason}`,
})
