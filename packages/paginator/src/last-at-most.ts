/** Index of the last of `count` ascending values that is at most `limit`; -1 if all are larger. */
export function lastAtMost(count: number, value: (index: number) => number, limit: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (value(middle) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
