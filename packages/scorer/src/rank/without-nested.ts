/** Of hits, best first, of which one lies inside another, keep the better one. */
export function withoutNested<T, H extends { item: T }>(
  hits: readonly H[],
  parent: ((item: T) => T | undefined) | undefined,
  limit: number,
): H[] {
  const kept: H[] = []
  const keptItems = new Set<T>()
  const aroundKept = new Set<T>()
  for (const hit of hits) {
    if (kept.length >= limit) break
    const above = ancestors(hit.item, parent)
    if (aroundKept.has(hit.item) || above.some((item) => keptItems.has(item))) continue
    kept.push(hit)
    keptItems.add(hit.item)
    for (const item of above) aroundKept.add(item)
  }
  return kept
}

function ancestors<T>(item: T, parent: ((item: T) => T | undefined) | undefined): T[] {
  const above = new Set<T>()
  // An item that is said to be in itself ends the way up.
  for (let next = parent?.(item); next !== undefined && !above.has(next); next = parent?.(next))
    above.add(next)
  above.delete(item)
  return [...above]
}
