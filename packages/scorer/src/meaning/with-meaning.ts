/**
 * Scores by words, raised by the similarities of the same texts: the most similar one by the share
 * `weight`, the least similar one not at all, an unknown one as the average. A text that is further
 * ahead by its words stays first.
 */
export function withMeaning(
  scores: readonly number[],
  similarities: readonly (number | undefined)[],
  weight: number,
): number[] {
  const known = similarities.filter((one) => one !== undefined)
  const least = Math.min(...known)
  const range = Math.max(...known) - least || 1
  const average = known.reduce((sum, one) => sum + one, 0) / (known.length || 1)
  return scores.map((score, at) => {
    const raise = known.length > 0 ? ((similarities[at] ?? average) - least) / range : 0
    return score * (1 + weight * raise)
  })
}
