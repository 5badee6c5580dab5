interface Series {
  name: string
  /** One for each time; null where there is nothing to say. */
  values: readonly (number | null)[]
}

/** What those are called that are too many to show each. */
const others = 'others'

const sizeOf = ({ values }: Series): number =>
  Math.abs(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))

/** Those that say most by what is drawn, the largest first; the rest is one. Those of nothing are none. */
export function largestSeries(series: readonly Series[], limit: number): Series[] {
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
