/** The position itself, or the nearest before it that does not tear a character apart. */
export function wholeCharacter(text: string, position: number): number {
  let at = position
  // Combining marks, joiners and low surrogates belong to what stands before them.
  while (at > 0 && at < text.length && position - at < 64 && continues(text, at)) at--
  return at
}

function continues(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code >= 0xdc00 && code <= 0xdfff) return isHighSurrogate(text.charCodeAt(at - 1))
  if (code < 0x300) return false
  if (code === 0x200d || text.charCodeAt(at - 1) === 0x200d) return true
  return /^[\p{M}\p{Emoji_Modifier}]/u.test(text.slice(at, at + 2))
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** The position itself, or the one before it if a surrogate pair would be torn apart. */
export function wholePair(text: string, position: number): number {
  const code = text.charCodeAt(position)
  const isLow = code >= 0xdc00 && code <= 0xdfff
  return isLow && isHighSurrogate(text.charCodeAt(position - 1)) ? position - 1 : position
}
