export interface TextPart {
  text: string
  /** The name of an invisible or misleading character, such as "U+202E". */
  odd?: string
}

/**
 * Control, bidirectional, zero-width and tag characters, which make text look different from what it
 * is. Line ends, tabs and emoji variation selectors are harmless.
 */
const odd = /(?!\n|\t|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Splits text into parts, each either harmless or one odd character. */
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

/** Spells odd characters as ⟨U+202E⟩, for attributes, which cannot contain markup. */
export function spellOddCharacters(text: string): string {
  return splitOddCharacters(text)
    .map((part) => (part.odd ? `⟨${part.odd}⟩` : part.text))
    .join('')
}
