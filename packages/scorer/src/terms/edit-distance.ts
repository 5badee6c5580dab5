/** Letters to change, swap, add or drop; anything above `most` as `most + 1`. */
export function editDistance(one: string, other: string, most: number): number {
  let before: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let distance = Math.min(
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + (same ? 0 : 1),
      )
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (swapped && row > 1 && column > 1)
        distance = Math.min(distance, (before[column - 2] as number) + 1)
      current.push(distance)
      if (distance < least) least = distance
    }
    if (least > most) return most + 1
    before = previous
    previous = current
  }
  return previous[other.length] as number
}
