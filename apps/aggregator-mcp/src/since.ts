const msOf = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const

/**
 * Milliseconds from a time until `now`. `text` is a duration (`7d`, `24h`, `30m`) or a time in
 * ISO 8601; undefined if it is neither.
 */
export function sinceMs(text: string, now: number = Date.now()): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([dhm])$/.exec(text) ?? []
  if (count !== '') return Number(count) * msOf[unit as keyof typeof msOf]
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : now - at
}

/** Ten years. */
const maxLifetimeMs = 3_650 * 86_400_000

/**
 * The end of a token, in milliseconds since 1970, by a duration from now or a time in ISO 8601;
 * undefined unless it is in the future, and at most ten years away.
 */
export function expiryOf(text: string, now: number = Date.now()): number | undefined {
  const ms = sinceMs(text, now)
  if (ms === undefined) return undefined
  const end = /[dhm]$/.test(text) ? now + ms : now - ms
  return end > now && end <= now + maxLifetimeMs ? end : undefined
}
