const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** How far a grapheme may reach back; no endless row of combining marks. */
const longestGrapheme = 64

/** The position itself, or the nearest before it that does not tear a grapheme apart. */
export function wholeCharacter(text: string, position: number): number {
  if (position <= 0 || position >= text.length) return position
  const code = text.charCodeAt(position)
  // ASCII continues nothing but a carriage return.
  if (code < 0x80 && text.charCodeAt(position - 1) < 0x80 && code !== 10) return position
  let from = position - 1
  while (from > 0 && text.charCodeAt(from) >= 0x80 && isNear(text, from, position)) from--
  const window = text.slice(from, position + longestGrapheme)
  const inside = graphemes.segment(window).containing(position - from)
  return inside ? from + inside.index : position
}

/** Flags are pairs, and which two make one is only known from the begin of a row of them. */
const longestRow = 4096

function isNear(text: string, from: number, position: number): boolean {
  const distance = position - from
  if (distance < longestGrapheme) return true
  const isFlag = text.charCodeAt(from) === 0xd83c || text.charCodeAt(from - 1) === 0xd83c
  return isFlag && distance < longestRow
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** The position itself, or the one before it if a surrogate pair would be torn apart. */
export function wholePair(text: string, position: number): number {
  const code = text.charCodeAt(position)
  const isLow = code >= 0xdc00 && code <= 0xdfff
  return isLow && isHighSurrogate(text.charCodeAt(position - 1)) ? position - 1 : position
}
