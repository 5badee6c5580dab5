import { type Excerpt, mostTokens, readExcerpt, type Source } from './excerpt.ts'

/** What every text gets at least, in characters. */
const leastShare = 300

/**
 * Excerpts of several texts within one budget of characters and tokens. The first one gets what it
 * needs, as far as the others keep a little; what one leaves over is for those after it.
 */
export function shareRoom(sources: readonly Source[], room: number, cap: number): Excerpt[] {
  let characters = room
  let tokens = mostTokens
  return sources.map((source, at) => {
    const others = sources.length - at - 1
    const least = Math.min(leastShare, Math.floor(characters / (others + 1)))
    const share = Math.max(1, characters - others * least)
    const tokenShare = Math.max(1, Math.floor(tokens - (others * tokens) / (sources.length * 2)))
    const excerpt = readExcerpt(source, { maxLength: share }, cap, tokenShare)
    characters -= excerpt.markdown.length
    tokens -= excerpt.tokens
    return excerpt
  })
}
