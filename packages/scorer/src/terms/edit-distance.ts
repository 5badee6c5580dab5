import { defined } from '../defined.ts'
/**
 * Number of letters to change, swap, add or remove; a number above `limit` is returned as `limit +
 * 1`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let distance = Math.min(
        defined(previous[column]) + 1,
        defined(current[column - 1]) + 1,
        defined(previous[column - 1]) + (same ? 0 : 1),
      )
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped && row > 1 && column > 1)
        distance = Math.min(distance, defined(before[column - 2]) + 1)
      current.push(distance)
      if (distance < least) least = distance
    }
    if (least > limit) return limit + 1
    before = previous
    previous = current
  }
  return defined(previous[b.length])
}
