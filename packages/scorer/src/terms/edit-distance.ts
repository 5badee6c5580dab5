import { defined } from '../defined.ts'
/**
 * Number of letters to change, swap, add or remove; a number above `limit` is returned as `limit +
 * 1`.
 */
export function editDistance(one: string, other: string, limit: number): number {
  let before: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let distance = Math.min(
        defined(previous[column]) + 1,
        defined(current[column - 1]) + 1,
        defined(previous[column - 1]) + (same ? 0 : 1),
      )
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (swapped && row > 1 && column > 1)
        distance = Math.min(distance, defined(before[column - 2]) + 1)
      current.push(distance)
      if (distance < least) least = distance
    }
    if (least > limit) return limit + 1
    before = previous
    previous = current
  }
  return defined(previous[other.length])
}
