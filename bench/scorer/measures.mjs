// How good a ranking is. A query wants one of each of its groups of items; a group is found at the
// first of its items.

/** Ranks, from 0, at which the groups are found, ascending. */
function foundAt(ranking, groups) {
  const found = groups.map((group) => {
    const wanted = new Set(group)
    return ranking.findIndex((id) => wanted.has(id))
  })
  return found.filter((rank) => rank >= 0).sort((a, b) => a - b)
}

export function measure(ranking, groups) {
  const ranks = foundAt(ranking, groups)
  const gain = (rank) => 1 / Math.log2(rank + 2)
  const ideal = groups.slice(0, 10).reduce((sum, _, rank) => sum + gain(rank), 0)
  // Two groups may be found by the same item; the second counts as found right after.
  const taken = []
  for (const rank of ranks) taken.push(Math.max(rank, (taken.at(-1) ?? -1) + 1))
  const got = taken.filter((rank) => rank < 10).reduce((sum, rank) => sum + gain(rank), 0)
  const share = (k) => ranks.filter((rank) => rank < k).length / groups.length
  return { ndcg: got / ideal, hit: ranks[0] === 0 ? 1 : 0, r5: share(5), r10: share(10) }
}

export function average(results) {
  const sum = { ndcg: 0, hit: 0, r5: 0, r10: 0 }
  for (const result of results) for (const key in sum) sum[key] += result[key]
  for (const key in sum) sum[key] /= results.length
  return sum
}
