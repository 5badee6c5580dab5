import type { ReactNode, RefObject } from 'react'
import { formatTime } from '../text/times.ts'
import { PlainText } from '../ui/plain-text.tsx'
import type { ChartSeries } from './chart-table.tsx'
import './series.css'

interface ChartLegendProps {
  ref: RefObject<HTMLUListElement | null>
  times: readonly string[]
  series: readonly ChartSeries[]
  kind: 'stack' | 'line'
  format: (value: number) => string
  /** Index of the time under the pointer. */
  hovered: number | undefined
}

const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

const highest = (values: readonly (number | null)[]) =>
  values.reduce<number>((max, value) => Math.max(max, value ?? 0), 0)

/** The color of each series, and its value under the pointer, or else its total or maximum. */
export function ChartLegend(props: ChartLegendProps): ReactNode {
  const { ref, times, series, kind, format, hovered } = props
  const [overall, word] = kind === 'stack' ? [sum, 'total'] : [highest, 'max']
  return (
    <ul ref={ref} className="chart-legend">
      {series.map(({ name, values }, index) => (
        <li key={name}>
          <span
            className={`chart-swatch series-${name === 'others' ? 8 : Math.min(index + 1, 8)}`}
          />
          <PlainText isClipped>{name}</PlainText>
          <b>{format(hovered === undefined ? overall(values) : (values[hovered] ?? 0))}</b>
        </li>
      ))}
      <li className="chart-when">
        {hovered === undefined ? word : formatTime(new Date(times[hovered] ?? ''), 'minute')}
      </li>
    </ul>
  )
}
