const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
const dayAndClock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const dayAndSecond = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})

/** The time zone of the browser, such as `GMT+2`. */
export const zone: string =
  new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? 'local'
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** "3 min. ago", in the largest unit that fits. */
export function formatRelative(time: Date, now = Date.now()): string {
  const seconds = (time.getTime() - now) / 1_000
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size)
      return relative.format(Math.trunc(seconds / size + Math.sign(seconds) * 0.01), unit)
  return Math.abs(seconds) < 5 ? 'now' : relative.format(Math.trunc(seconds), 'second')
}

/** In the time zone of the browser. `clock` omits the day. */
export function formatTime(time: Date, style: 'clock' | 'minute' | 'second' | 'day'): string {
  if (Number.isNaN(time.getTime())) return 'unknown time'
  if (style === 'day') return day.format(time)
  if (style === 'clock') return clock.format(time)
  return (style === 'minute' ? dayAndClock : dayAndSecond).format(time)
}
