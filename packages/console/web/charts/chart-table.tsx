import type { ReactNode } from 'react'
import { PlainText } from '../ui/plain-text.tsx'
import { cellsOf, column, headOf } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import type { Chart } from './chart.ts'
import { chartHeight } from './draw-chart.ts'

interface ChartTableProps extends Omit<Chart, 'kind'> {
  title: string
}

/** The numbers of a chart, newest first. */
export function ChartTable({ title, times, series, format }: ChartTableProps): ReactNode {
  const columns = [
    column('From', 'is-narrow', (index: number) => <Time of={times[index] ?? ''} />),
    ...series.map(({ name, values }) =>
      column(
        <th scope="col" className="is-number">
          <PlainText>{name}</PlainText>
        </th>,
        'is-number',
        (index: number) => format(values[index] ?? 0),
      ),
    ),
  ]
  return (
    <section
      className="chart-table"
      style={{ height: chartHeight }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      aria-label={`${title}, as a table`}
    >
      <table className="table">
        <caption>{title}</caption>
        <thead>
          <tr>{headOf(columns)}</tr>
        </thead>
        <tbody>
          {times.map((time, index) => <tr key={time}>{cellsOf(columns, index)}</tr>).reverse()}
        </tbody>
      </table>
    </section>
  )
}
