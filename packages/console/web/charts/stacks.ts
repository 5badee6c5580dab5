/** The range of an axis: includes zero, with an 8 % margin. */
export function rangeOf(low: number | null, high: number | null): [number, number] {
  const below = Math.min(0, low ?? 0)
  const above = Math.max(0, high ?? 0)
  return [below * 1.08, above > 0 ? above * 1.08 : below < 0 ? 0 : 1]
}

/**
 * The highest stack first, since each is painted over those before it. Negative values are stacked
 * downwards from zero.
 */
export function stacked(series: readonly (readonly (number | null)[])[]): number[][] {
  const above: number[] = []
  const below: number[] = []
  const stacks = series.map((values) =>
    values.map((value, index) => {
      const sums = (value ?? 0) < 0 ? below : above
      const sum = (sums[index] ?? 0) + (value ?? 0)
      sums[index] = sum
      return sum
    }),
  )
  return stacks.reverse()
}
