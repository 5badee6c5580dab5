import type uPlot from 'uplot'
import type { Chart, ChartSeries } from './chart.ts'
import { rangeOf, stacked } from './stacks.ts'

/** Pixels, also of the table in its place. */
export const chartHeight = 260

interface DrawOptions extends Pick<Chart, 'kind' | 'format'> {
  place: HTMLElement
  /** One color for each series. */
  colors: readonly string[]
  /** Called with the index of the time under the pointer. */
  onHover: (index: number | undefined) => void
}

export type DrawnChart = Awaited<ReturnType<typeof drawChart>>

/** Draws a chart as wide as its container. The first call loads uPlot. */
export async function drawChart(options: DrawOptions) {
  const { default: Plot } = await import('uplot')
  const { place, colors, kind, format, onHover } = options
  const { color: ink, fontFamily } = getComputedStyle(place)
  const axis = { stroke: ink, font: `11px ${fontFamily}`, ticks: { show: false } }
  const bars = Plot.paths.bars?.({ size: [0.72, 28], radius: 0.15 })
  const isStack = kind === 'stack'
  const inks = isStack ? [...colors].reverse() : colors

  const plot = new Plot(
    {
      width: Math.max(place.clientWidth, 80),
      height: chartHeight,
      legend: { show: false },
      padding: [10, 16, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { show: !isStack } },
      scales: { y: { range: (_plot, low, high) => rangeOf(low, high) } },
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          space: 64,
          values: (_plot, times) => times.map(nameTime),
        },
        {
          ...axis,
          size: 56,
          grid: { stroke: `color-mix(in srgb, ${ink} 16%, transparent)`, width: 1 },
          space: 36,
          values: (_plot, values) => values.map((value) => format(value)),
        },
      ],
      series: [
        {},
        ...inks.map(
          (color): uPlot.Series => ({
            stroke: isStack ? 'transparent' : color,
            ...(isStack && { fill: color }),
            width: isStack ? 0 : 1.75,
            points: { show: false },
            ...(isStack && bars && { paths: bars }),
          }),
        ),
      ],
      hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? undefined)] },
    },
    [[], ...colors.map(() => [])],
    place,
  )

  const watch = new ResizeObserver(() =>
    plot.setSize({ width: Math.max(place.clientWidth, 80), height: chartHeight }),
  )
  watch.observe(place)

  return {
    /** `times` are seconds since 1970. */
    show: (times: readonly number[], series: readonly ChartSeries['values'][]) =>
      plot.setData([[...times], ...(isStack ? stacked(series) : series.map((row) => [...row]))]),
    remove() {
      watch.disconnect()
      plot.destroy()
    },
  }
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const hour = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
})

/** The time of day; at midnight the date instead. */
function nameTime(seconds: number): string {
  const time = new Date(seconds * 1_000)
  return time.getHours() === 0 && time.getMinutes() === 0 ? day.format(time) : hour.format(time)
}
