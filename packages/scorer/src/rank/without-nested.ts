/** Of hits nested in one another, keep the better one; hits are sorted, best first. */
export function withoutNested<T, H extends { item: T }>(
  hits: readonly H[],
  parent: ((item: T) => T | undefined) | undefined,
  limit: number,
): H[] {
  const result: H[] = []
  const keptItems = new Set<T>()
  const aroundKept = new Set<T>()
  for (const hit of hits) {
    if (result.length >= limit) break
    const above = ancestors(hit.item, parent)
    if (aroundKept.has(hit.item) || above.some((item) => keptItems.has(item))) continue
    result.push(hit)
    keptItems.add(hit.item)
    for (const item of above) aroundKept.add(item)
  }
  return result
}

function ancestors<T>(item: T, parent: ((item: T) => T | undefined) | undefined): T[] {
  const above = new Set<T>()
  // Stops at a cycle of parents.
  for (let next = parent?.(item); next !== undefined && !above.has(next); next = parent?.(next))
    above.add(next)
  above.delete(item)
  return [...above]
}
