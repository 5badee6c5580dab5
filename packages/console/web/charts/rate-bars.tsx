import type { ReactNode } from 'react'
import './rate-bars.css'

/** Calls in each of the last 60 seconds. Decorative: the total is in the panel's title. */
export function RateBars({ rate }: { rate: readonly number[] }): ReactNode {
  const max = Math.max(...rate, 4)
  return (
    <svg className="rate-bars" viewBox="0 0 600 44" preserveAspectRatio="none" aria-hidden="true">
      {rate.map((count, index) => {
        const height = count > 0 ? Math.max(2, (count / max) * 42) : 1
        return (
          <rect
            key={index}
            className={count === 0 ? 'is-none' : undefined}
            x={index * 10 + 1}
            y={44 - height}
            width={8}
            height={height}
            rx={1}
          />
        )
      })}
    </svg>
  )
}
