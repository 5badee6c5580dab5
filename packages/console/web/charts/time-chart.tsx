import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { formatTime } from '../text/times.ts'
import { Button } from '../ui/button.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type ChartSeries, ChartTable } from './chart-table.tsx'
import { type DrawnChart, drawChart } from './draw-chart.ts'
import './series.css'
import './time-chart.css'

interface TimeChartProps {
  title: string
  times: readonly string[]
  series: readonly ChartSeries[]
  /** Stacked amounts, or lines for values that do not add up. */
  kind: 'stack' | 'line'
  format: (value: number) => string
  /** The chart in a sentence, for screen readers. */
  summary: string
}

const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

const highest = (values: readonly (number | null)[]) =>
  values.reduce<number>((max, value) => Math.max(max, value ?? 0), 0)

const height = 260

export function TimeChart(props: TimeChartProps): ReactNode {
  const { title, times, series, kind, format, summary } = props
  const stage = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLUListElement>(null)
  const drawn = useRef<DrawnChart>(undefined)
  const [at, setAt] = useState<number>()
  const [isTable, setTable] = useState(false)
  const summaryId = useId()
  const names = series.map(({ name }) => name).join('\n')
  const data = useMemo(
    () => ({
      times: times.map((time) => Date.parse(time) / 1_000),
      series: series.map((one) => one.values),
    }),
    [times, series],
  )

  useEffect(() => {
    const place = stage.current
    if (!place || isTable) return
    let isCancelled = false
    const draw = async () => {
      const colors = [...(legend.current?.querySelectorAll('.chart-swatch') ?? [])].map(
        (swatch) => getComputedStyle(swatch).backgroundColor,
      )
      const next = await drawChart({ place, colors, kind, format, height, onHover: setAt })
      if (isCancelled) return next.remove()
      drawn.current?.remove()
      drawn.current = next
      next.show(data)
    }
    // Show the table if uPlot cannot be loaded.
    const redraw = () => void draw().catch(() => setTable(true))
    redraw()
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    addEventListener('themechange', redraw)
    scheme.addEventListener('change', redraw)
    return () => {
      isCancelled = true
      drawn.current?.remove()
      drawn.current = undefined
      removeEventListener('themechange', redraw)
      scheme.removeEventListener('change', redraw)
    }
  }, [names, kind, format, isTable])

  useEffect(() => drawn.current?.show(data), [data])

  return (
    <figure className="time-chart" aria-label={title} aria-describedby={summaryId}>
      <div className="chart-top">
        <ul ref={legend} className="chart-legend">
          {series.map(({ name, values }, index) => (
            <li key={name}>
              <span
                className={`chart-swatch series-${name === 'others' ? 8 : Math.min(index + 1, 8)}`}
              />
              <PlainText isClipped>{name}</PlainText>
              <b>
                {at === undefined
                  ? format(kind === 'stack' ? sum(values) : highest(values))
                  : format(values[at] ?? 0)}
              </b>
            </li>
          ))}
          <li className="chart-when">
            {at === undefined
              ? kind === 'stack'
                ? 'total'
                : 'max'
              : formatTime(new Date(times[at] ?? ''), 'minute')}
          </li>
        </ul>
        <Button kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Chart' : 'Table'}
        </Button>
      </div>
      {isTable ? (
        <ChartTable title={title} times={times} series={series} format={format} height={height} />
      ) : (
        <div ref={stage} className="chart-stage" aria-hidden="true" />
      )}
      <figcaption id={summaryId} className="for-readers">
        {summary}
      </figcaption>
    </figure>
  )
}
