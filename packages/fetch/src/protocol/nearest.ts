/**
 * Items with the names most similar to `requested`, best first, by Dice's coefficient of letter
 * pairs.
 */
export function nearest<T>(
  requested: string,
  items: readonly T[],
  name: (item: T) => string,
  limit: number,
): T[] {
  const target = letterPairs(requested.slice(0, 200))
  return items
    .map((item) => ({ item, likeness: likeness(target, letterPairs(name(item).slice(0, 200))) }))
    .filter(({ likeness }) => likeness > 0.15)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, limit)
    .map(({ item }) => item)
}

function letterPairs(text: string): Set<string> {
  const letters = text.normalize('NFKC').toLowerCase()
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < letters.length; at++) pairs.add(letters.slice(at, at + 2))
  return pairs
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0
  let shared = 0
  for (const pair of a) if (b.has(pair)) shared++
  return (2 * shared) / (a.size + b.size)
}
