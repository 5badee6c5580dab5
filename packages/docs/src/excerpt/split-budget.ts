import { type Excerpt, maxTokens, readExcerpt, type Source } from './excerpt.ts'

/** Minimum for each text, in characters. */
const minShare = 300

/**
 * Excerpts of several texts within one budget of characters and tokens, each from its beginning. The
 * first gets what it needs, less a minimum for the others; unused budget passes on to the next.
 */
export function splitBudget(sources: readonly Source[], budget: number, cap: number): Excerpt[] {
  let characters = budget
  let tokens = maxTokens
  return sources.map((source, at) => {
    const others = sources.length - at - 1
    const least = Math.min(minShare, Math.floor(characters / (others + 1)))
    const maxLength = Math.max(1, characters - others * least)
    const share = Math.max(1, Math.floor(tokens - (others * tokens) / (sources.length * 2)))
    const excerpt = readExcerpt(source, { maxLength }, cap, share)
    characters -= excerpt.markdown.length
    tokens -= excerpt.tokens
    return excerpt
  })
}
