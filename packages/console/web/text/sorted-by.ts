/** Sorts by a column; "-" before its name means descending. Unknown columns count as `name`. */
export function sortedBy<Row>(
  rows: readonly Row[],
  sort: string,
  order: Readonly<Record<string, (a: Row, b: Row) => number>>,
): Row[] {
  const isDescending = sort.startsWith('-')
  const sorted = rows.toSorted(order[isDescending ? sort.slice(1) : sort] ?? order['name'])
  return isDescending ? sorted.reverse() : sorted
}
