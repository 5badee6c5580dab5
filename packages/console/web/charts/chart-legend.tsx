import type { ReactNode, RefObject } from 'react'
import { formatTime } from '../text/times.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { type Chart, wholeOf } from './chart.ts'
import './series.css'

interface ChartLegendProps extends Chart {
  ref: RefObject<HTMLUListElement | null>
  /** Index of the time under the pointer. */
  hovered: number | undefined
}

/** The color of each series, and its value under the pointer, or else its total or maximum. */
export function ChartLegend(props: ChartLegendProps): ReactNode {
  const { ref, times, series, kind, format, hovered } = props
  return (
    <ul ref={ref} className="chart-legend">
      {series.map(({ name, values }, index) => (
        <li key={name}>
          <span
            className={`chart-swatch series-${name === 'others' ? 8 : Math.min(index + 1, 8)}`}
          />
          <PlainText isClipped>{name}</PlainText>
          <b>{format(hovered === undefined ? wholeOf(values, kind) : (values[hovered] ?? 0))}</b>
        </li>
      ))}
      <li className="chart-when">
        {hovered !== undefined
          ? formatTime(new Date(times[hovered] ?? ''), 'minute')
          : kind === 'stack'
            ? 'total'
            : 'max'}
      </li>
    </ul>
  )
}
