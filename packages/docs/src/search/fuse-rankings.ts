/** Of reciprocal rank fusion: a larger value makes places after the first ones count for more. */
const rankOffset = 4

/**
 * One list of several, best first, by the sum of 1 / (4 + place) of an item. A list alone is
 * unchanged; of items with the same key the first is kept.
 */
export function fuseRankings<T>(
  lists: readonly (readonly T[])[],
  keyOf: (item: T) => string,
): { item: T; score: number }[] {
  const fused = new Map<string, { item: T; score: number }>()
  for (const list of lists)
    for (const [place, item] of list.entries()) {
      const entry = fused.get(keyOf(item)) ?? { item, score: 0 }
      entry.score += 1 / (rankOffset + place)
      fused.set(keyOf(item), entry)
    }
  return [...fused.values()].sort((a, b) => b.score - a.score)
}
