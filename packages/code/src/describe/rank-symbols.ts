import type { CodeSymbol } from '../outline/source-file.ts'
import { eachName } from '../text/each-name.ts'
import { commentLines } from './comment-lines.ts'
import { termsOfName } from './words.ts'

type Extent = Pick<CodeSymbol, 'name' | 'start' | 'end' | 'parent'>

/** How much a word counts in the comment above a symbol and in its body, relative to its name. */
const commentShare = 0.7
const bodyShare = 0.5
/** Occurrences in a body of `usualNames` names that are half of what any number can bring. */
const saturation = 1
const usualNames = 60

/**
 * Indexes of the symbols of a file that a query describes, best first. The text of a symbol is what
 * no symbol inside it has; a comment belongs to the symbol after it. `weights` are those of `rankFiles`.
 */
export function rankDescribed(
  weights: ReadonlyMap<string, number>,
  text: string,
  symbols: readonly Extent[],
): number[] {
  const counts = symbols.map(() => ({
    names: 0,
    above: new Set<string>(),
    body: new Map<string, number>(),
  }))
  let next = 0
  const isComment = commentLines(text)
  let inner = -1
  eachName(text, (name, start) => {
    while ((symbols[next]?.start ?? text.length) <= start) inner = next++
    while (inner >= 0 && (symbols[inner] as Extent).end <= start)
      inner = (symbols[inner] as Extent).parent
    const isAbove = isComment(start) && symbols[next]?.parent === inner
    const count = counts[isAbove ? next : inner]
    if (!count) return
    if (!isAbove) count.names++
    for (const term of termsOfName(name)) {
      if (!weights.has(term)) continue
      if (isAbove) count.above.add(term)
      else count.body.set(term, (count.body.get(term) ?? 0) + 1)
    }
  })
  const scores = symbols.map(({ name }, index) => {
    const { names, above, body } = counts[index] as (typeof counts)[number]
    const nameTerms = new Set<string>()
    eachName(name, (part) => {
      for (const term of termsOfName(part)) nameTerms.add(term)
    })
    let score = 0
    for (const [term, weight] of weights) {
      const count = body.get(term) ?? 0
      const share = count / (count + saturation * (0.5 + (0.5 * names) / usualNames))
      score +=
        weight *
        Math.max(nameTerms.has(term) ? 1 : 0, above.has(term) ? commentShare : 0, bodyShare * share)
    }
    return score
  })
  return [...symbols.keys()]
    .filter((index) => (scores[index] as number) > 0)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
}
