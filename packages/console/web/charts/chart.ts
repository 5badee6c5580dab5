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
    (whole, value) => (kind === 'stack' ? whole + (value ?? 0) : Math.max(whole, value ?? 0)),
    0,
  )
