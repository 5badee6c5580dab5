import { type ReactNode, useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import type { Chart } from './chart.ts'
import { ChartLegend } from './chart-legend.tsx'
import { ChartTable } from './chart-table.tsx'
import { useDrawnChart } from './use-drawn-chart.ts'
import './time-chart.css'

interface TimeChartProps extends Chart {
  title: string
  /** The chart in a sentence, for screen readers. */
  summary: string
}

export function TimeChart(props: TimeChartProps): ReactNode {
  const { title, times, series, kind, format, summary } = props
  const [isTable, setTable] = useState(false)
  const onFailed = () => setTable(true)
  const chart = { times, series, kind, format }
  const { stage, legend, hovered } = useDrawnChart({ ...chart, isHidden: isTable, onFailed })
  const summaryId = useId()
  return (
    <figure className="time-chart" aria-label={title} aria-describedby={summaryId}>
      <div className="chart-top">
        <ChartLegend ref={legend} {...chart} hovered={hovered} />
        <Button kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Chart' : 'Table'}
        </Button>
      </div>
      {isTable ? (
        <ChartTable title={title} times={times} series={series} format={format} />
      ) : (
        <div ref={stage} className="chart-stage" aria-hidden="true" />
      )}
      <figcaption id={summaryId} className="for-readers">
        {summary}
      </figcaption>
    </figure>
  )
}
