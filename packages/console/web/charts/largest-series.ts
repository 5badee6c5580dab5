import type { ChartSeries } from './chart.ts'

/** The name of the series that sums up the rest. */
const others = 'others'

const sizeOf = ({ values }: ChartSeries): number =>
  Math.abs(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))

/** The series with the largest totals, largest first. Others are summed up; empty ones are dropped. */
export function largestSeries(series: readonly ChartSeries[], limit: number): ChartSeries[] {
  const named = series.filter((one) => one.name !== others && sizeOf(one) > 0)
  const ordered = named.toSorted((one, other) => sizeOf(other) - sizeOf(one))
  const rest = [...ordered.slice(limit), ...series.filter(({ name }) => name === others)]
  const shown = ordered.slice(0, limit)
  const [first, ...more] = rest
  if (first === undefined) return shown
  const values = first.values.map((value, index) =>
    more.reduce((sum, one) => sum + (one.values[index] ?? 0), value ?? 0),
  )
  const merged = { name: others, values }
  return sizeOf(merged) > 0 ? [...shown, merged] : shown
}
