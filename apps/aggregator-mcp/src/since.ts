import { UsageError } from '@pith-mcp/server-kit/settings'

const msOf = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const

/**
 * Milliseconds from a time until `now`. `text` is a duration (`7d`, `24h`, `30m`) or a time in
 * ISO 8601; undefined if it is neither.
 */
function sinceMs(text: string, now: number = Date.now()): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([dhm])$/.exec(text) ?? []
  if (count !== '') return Number(count) * msOf[unit as keyof typeof msOf]
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : now - at
}

/**
 * Such a time, in milliseconds since 1970. `name` is the option or parameter that has it.
 * @throws {UsageError} if it is neither
 */
export function atOf(text: string, name: string, now: number = Date.now()): number {
  const ms = sinceMs(text, now)
  if (ms !== undefined) return now - ms
  throw new UsageError(`${name} must be a time such as 7d, 24h, 30m or 2026-11-01, got "${text}".`)
}

/** The same in the journal's format. @throws {UsageError} */
export const timeOf = (text: string | undefined, name: string): string | undefined =>
  text === undefined ? undefined : new Date(atOf(text, name)).toISOString()

/** Thirty days. */
const maxOverlapMs = 30 * 86_400_000

/** A duration, in milliseconds. @throws {UsageError} unless it is at most thirty days */
export function overlapMs(text: string, name: string): number {
  const ms = /^\d+[dhm]$/.test(text) ? sinceMs(text) : undefined
  if (ms !== undefined && ms <= maxOverlapMs) return ms
  throw new UsageError(`${name} must be 0m to 30d, such as 24h, got "${text}".`)
}

/** Ten years. */
const maxLifetimeMs = 3_650 * 86_400_000

/**
 * The end of a token, in milliseconds since 1970, by a duration from now or a time in ISO 8601.
 * @throws {UsageError} unless it is in the future, and at most ten years away
 */
export function expiryOf(text: string, name: string): number {
  const now = Date.now()
  const ms = sinceMs(text, now)
  const end = ms !== undefined && (/[dhm]$/.test(text) ? now + ms : now - ms)
  if (end && end > now && end <= now + maxLifetimeMs) return end
  throw new UsageError(
    `${name} must be in the future, and at most ten years away, such as 90d, 12h, 30m or 2030-01-31, got "${text}".`,
  )
}
