const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Maximum length of a grapheme, which bounds sequences of combining marks. */
const maxGraphemeLength = 64

/** The position, or the nearest one before it that does not split a grapheme. */
export function characterBoundary(text: string, position: number): number {
  if (position <= 0 || position >= text.length) return position
  const code = text.charCodeAt(position)
  // The only grapheme of several ASCII characters is CR LF.
  if (code < 0x80 && text.charCodeAt(position - 1) < 0x80 && code !== 10) return position
  let from = position - 1
  while (from > 0 && text.charCodeAt(from) >= 0x80 && isNear(text, from, position)) from--
  const window = text.slice(from, position + maxGraphemeLength)
  const inside = graphemes.segment(window).containing(position - from)
  return inside ? from + inside.index : position
}

/** Flags are pairs of regional indicators, so pairs are counted from the start of a row. */
const maxRowLength = 4096

function isNear(text: string, from: number, position: number): boolean {
  const distance = position - from
  if (distance < maxGraphemeLength) return true
  const isFlag = text.charCodeAt(from) === 0xd83c || text.charCodeAt(from - 1) === 0xd83c
  return isFlag && distance < maxRowLength
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** The position, or the one before it if it would split a surrogate pair. */
export function wholePair(text: string, position: number): number {
  const code = text.charCodeAt(position)
  const isLow = code >= 0xdc00 && code <= 0xdfff
  return isLow && isHighSurrogate(text.charCodeAt(position - 1)) ? position - 1 : position
}
