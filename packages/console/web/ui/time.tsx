import { useEffect, useState } from 'react'
import { formatRelative, formatTime } from '../text/times.ts'

interface TimeProps {
  of: string
  style?: 'clock' | 'minute' | 'second' | 'relative'
}

/** A time in the time zone of the browser. Hovering shows it in ISO 8601. */
export function Time({ of, style = 'minute' }: TimeProps) {
  const time = new Date(of)
  const [, tick] = useState(0)
  useEffect(() => {
    if (style !== 'relative') return
    const ticking = setInterval(() => tick((count) => count + 1), 30_000)
    return () => clearInterval(ticking)
  }, [style])
  return (
    <time dateTime={of} title={style === 'relative' ? `${formatTime(time, 'second')} · ${of}` : of}>
      {style === 'relative' ? formatRelative(time) : formatTime(time, style)}
    </time>
  )
}
