export interface TextPart {
  text: string
  /** What an invisible or misleading character is called, such as "U+202E". */
  odd?: string
}

/**
 * Controls, what turns the direction of writing, what has no width, and tags: text that is not what
 * it looks like. Line ends, tabs and the selectors that make emoji of signs are as they seem.
 */
const odd = /(?!\n|\t|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The text in parts, each either harmless or one odd character. */
export function splitOddCharacters(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: character, index } of text.matchAll(odd)) {
    if (index > from) parts.push({ text: text.slice(from, index) })
    const code = character.codePointAt(0) ?? 0
    parts.push({ text: character, odd: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` })
    from = index + character.length
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) })
  return parts
}

/** For attributes, which cannot be marked up: odd characters as ⟨U+202E⟩. */
export function spellOddCharacters(text: string): string {
  return splitOddCharacters(text)
    .map((part) => (part.odd ? `⟨${part.odd}⟩` : part.text))
    .join('')
}
