/** A line or a layer of a chart. */
export interface ChartSeries {
  name: string
  /** One for each time; null if there is no value. */
  values: readonly (number | null)[]
}

export interface Chart {
  times: readonly string[]
  series: readonly ChartSeries[]
  /** Stacked amounts, or lines for values that do not add up. */
  kind: 'stack' | 'line'
  format: (value: number) => string
}

/** The total of stacked amounts, otherwise the maximum. */
export const wholeOf = (values: ChartSeries['values'], kind: Chart['kind']): number =>
  values.reduce<number>(
    (total, value) => (kind === 'stack' ? total + (value ?? 0) : Math.max(total, value ?? 0)),
    0,
  )

/** The name of the series that sums up the rest. */
const restName = 'others'

const sizeOf = ({ values }: ChartSeries): number =>
  Math.abs(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))

/** The series with the largest totals, largest first. Others are summed up; empty ones are dropped. */
export function largestSeries(series: readonly ChartSeries[], limit: number): ChartSeries[] {
  const candidates = series.filter((entry) => entry.name !== restName && sizeOf(entry) > 0)
  const ordered = candidates.toSorted((a, b) => sizeOf(b) - sizeOf(a))
  const rest = [...ordered.slice(limit), ...series.filter(({ name }) => name === restName)]
  const largest = ordered.slice(0, limit)
  const [first, ...more] = rest
  if (first === undefined) return largest
  const values = first.values.map((value, index) =>
    more.reduce((sum, entry) => sum + (entry.values[index] ?? 0), value ?? 0),
  )
  const merged = { name: restName, values }
  return sizeOf(merged) > 0 ? [...largest, merged] : largest
}
