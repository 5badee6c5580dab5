import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { formatTime } from '../text/times.ts'
import { Button } from '../ui/button.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { cellsOf, column, headOf } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { type Chart, wholeOf } from './chart.ts'
import { chartHeight, type DrawnChart, drawChart } from './draw-chart.ts'
import './series.css'
import './time-chart.css'

interface TimeChartProps extends Chart {
  title: string
  /** The chart in a sentence, for screen readers. */
  summary: string
}

export function TimeChart(props: TimeChartProps) {
  const { title, times, series, kind, format, summary } = props
  const [isTable, setTable] = useState(false)
  const chart = { times, series, kind, format }
  const { stage, legend, hovered } = useDrawnChart(chart, isTable, () => setTable(true))
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

/**
 * Draws a chart into the stage unless it is hidden, and again when the theme changes. `onFailed` is
 * called if uPlot cannot be loaded.
 */
function useDrawnChart(chart: Chart, isHidden: boolean, onFailed: () => void) {
  const { times, series, kind, format } = chart
  /** The container of the chart. */
  const stage = useRef<HTMLDivElement>(null)
  /** Its swatches have the colors of the series. */
  const legend = useRef<HTMLUListElement>(null)
  const drawn = useRef<DrawnChart>(undefined)
  /** Index of the time under the pointer. */
  const [hovered, setHovered] = useState<number>()
  const names = series.map(({ name }) => name).join('\n')
  const data = useMemo(
    () => [times.map((time) => Date.parse(time) / 1_000), series.map((row) => row.values)] as const,
    [times, series],
  )

  useEffect(() => {
    const place = stage.current
    if (!place || isHidden) return
    let isCancelled = false
    const draw = async () => {
      const colors = colorsOf(legend.current)
      const next = await drawChart({ place, colors, kind, format, onHover: setHovered })
      if (isCancelled) return next.remove()
      drawn.current?.remove()
      drawn.current = next
      next.show(...data)
    }
    const redraw = () => void draw().catch(onFailed)
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
  }, [names, kind, format, isHidden])

  useEffect(() => drawn.current?.show(...data), [data])

  return { stage, legend, hovered }
}

const colorsOf = (legend: HTMLElement | null) =>
  [...(legend?.querySelectorAll('.chart-swatch') ?? [])].map(
    (swatch) => getComputedStyle(swatch).backgroundColor,
  )

interface ChartLegendProps extends Chart {
  ref: RefObject<HTMLUListElement | null>
  /** Index of the time under the pointer. */
  hovered: number | undefined
}

/** The color of each series, and its value under the pointer, or else its total or maximum. */
function ChartLegend(props: ChartLegendProps) {
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

/** The numbers of a chart, newest first. */
function ChartTable({ title, times, series, format }: Omit<TimeChartProps, 'kind' | 'summary'>) {
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
