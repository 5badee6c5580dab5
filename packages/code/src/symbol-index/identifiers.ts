import { eachName } from '../text/each-name.ts'

/** In characters; shorter and longer words of a text are not identifiers to look up. */
const minIdentifier = 3
const maxIdentifier = 80

/** The identifiers of a text, in any of its parts, and how often each occurs. */
export function identifiersOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  eachName(text, (name) => {
    if (name.length < minIdentifier || name.length > maxIdentifier) return
    counts.set(name, (counts.get(name) ?? 0) + 1)
  })
  return counts
}
