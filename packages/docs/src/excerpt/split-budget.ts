import { type Excerpt, maxTokens, readExcerpt, type Source } from './excerpt.ts'
import type { Budget } from './passages.ts'

/** Minimum for each text, in characters. */
const minShare = 300

/** Excerpts of several texts within one budget, each from its beginning. */
export const splitBudget = (sources: readonly Source[], budget: number, cap: number): Excerpt[] =>
  splitAmong(
    sources,
    budget,
    (source, { characters, tokens }) => readExcerpt(source, { maxLength: characters }, cap, tokens),
    (excerpt) => [excerpt],
  )

/**
 * Read several texts within one budget of characters and tokens. The first gets what it needs, less
 * a minimum for the others; unused budget passes on to the next.
 */
export function splitAmong<T, R>(
  texts: readonly T[],
  budget: number,
  read: (text: T, budget: Budget) => R,
  excerptsOf: (read: R) => readonly Excerpt[],
): R[] {
  let characters = budget
  let tokens = maxTokens
  return texts.map((text, at) => {
    const others = texts.length - at - 1
    const least = Math.min(minShare, Math.floor(characters / (others + 1)))
    const share = Math.max(1, characters - others * least)
    const tokenShare = Math.max(1, Math.floor(tokens - (others * tokens) / (texts.length * 2)))
    const part = read(text, { characters: share, tokens: tokenShare })
    for (const excerpt of excerptsOf(part)) {
      characters -= excerpt.markdown.length
      tokens -= excerpt.tokens
    }
    return part
  })
}
