/** In characters. */
const maxLength = 120
const maxLast = 240

/**
 * A title for a line of a reply, without brackets, which mark the notes of a reply. A path of titles
 * is cut before its last title.
 */
export function shortTitle(title: string): string {
  const plain = title.replace(/\s+/g, ' ').replaceAll('[', '(').replaceAll(']', ')')
  if (plain.length <= maxLength) return plain
  const last = / › (?:(?! › ).)+$/.exec(plain)?.[0].slice(0, maxLast) ?? ''
  return `${plain.slice(0, Math.max(0, maxLength - 1 - last.length))}…${last}`
}

/** A source without its scheme; the end of a long name distinguishes it. */
export function shortName(name: string): string {
  const short = name.replace(/^https?:\/\/|\?.*$/g, '').replace(/\/$/, '')
  return short.length > 60 ? `…${short.slice(-59)}` : short
}

/** A section near a hit. The title is added if the id does not tell it. */
export function nearText({ id, title }: { id: string; title: string }): string {
  const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  const isTelling = letters(id).includes(letters(title)) || letters(title).includes(letters(id))
  return isTelling || title === '' ? `#${id}` : `#${id} (${shortTitle(title)})`
}
