/** In characters; shorter and longer words of a text are not identifiers to look up. */
export const minIdentifier = 3
export const maxIdentifier = 80

/** The identifiers of a text, in any of its parts, and how often each occurs. */
export function identifiersOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const { length } = text
  let at = 0
  while (at < length) {
    let code = text.charCodeAt(at)
    if (!isLetter(code)) {
      at++
      // A number is skipped with its suffix.
      if (isDigit(code)) while (at < length && isPart(text.charCodeAt(at))) at++
      continue
    }
    const start = at
    do code = text.charCodeAt(++at)
    while (at < length && isPart(code))
    const size = at - start
    if (size < minIdentifier || size > maxIdentifier) continue
    const identifier = text.slice(start, at)
    counts.set(identifier, (counts.get(identifier) ?? 0) + 1)
  }
  return counts
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Letters, `_`, `$`, and any character outside ASCII. */
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  code === 36 ||
  code > 127

const isPart = (code: number): boolean => isLetter(code) || isDigit(code)
