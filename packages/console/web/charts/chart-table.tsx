import type { ReactNode } from 'react'
import { PlainText } from '../ui/plain-text.tsx'
import { Time } from '../ui/time.tsx'
import type { Chart } from './chart.ts'
import '../ui/table.css'

interface ChartTableProps extends Omit<Chart, 'kind'> {
  title: string
  height: number
}

/** The numbers of a chart, newest first. */
export function ChartTable({ title, times, series, format, height }: ChartTableProps): ReactNode {
  return (
    <section
      className="chart-table"
      style={{ height }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      aria-label={`${title}, as a table`}
    >
      <table className="table">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="is-number">
                <PlainText>{name}</PlainText>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times
            .map((time, index) => (
              <tr key={time}>
                <th scope="row" className="is-narrow">
                  <Time of={time} />
                </th>
                {series.map(({ name, values }) => (
                  <td key={name} className="is-number">
                    {format(values[index] ?? 0)}
                  </td>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </section>
  )
}
