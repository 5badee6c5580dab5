import { type Excerpt, mostTokens, readExcerpt, type Source } from './excerpt.ts'
import type { Room } from './passages.ts'

/** What every text gets at least, in characters. */
const leastShare = 300

/** Excerpts of several texts within one budget, each from its beginning. */
export const shareRoom = (sources: readonly Source[], room: number, cap: number): Excerpt[] =>
  shareAmong(
    sources,
    room,
    (source, { characters, tokens }) => readExcerpt(source, { maxLength: characters }, cap, tokens),
    (excerpt) => [excerpt],
  )

/**
 * What is read of several texts within one budget of characters and tokens. The first one gets what
 * it needs, as far as the others keep a little; what one leaves over is for those after it.
 */
export function shareAmong<T, R>(
  texts: readonly T[],
  room: number,
  read: (text: T, room: Room) => R,
  excerptsOf: (read: R) => readonly Excerpt[],
): R[] {
  let characters = room
  let tokens = mostTokens
  return texts.map((text, at) => {
    const others = texts.length - at - 1
    const least = Math.min(leastShare, Math.floor(characters / (others + 1)))
    const share = Math.max(1, characters - others * least)
    const tokenShare = Math.max(1, Math.floor(tokens - (others * tokens) / (texts.length * 2)))
    const given = read(text, { characters: share, tokens: tokenShare })
    for (const excerpt of excerptsOf(given)) {
      characters -= excerpt.markdown.length
      tokens -= excerpt.tokens
    }
    return given
  })
}
