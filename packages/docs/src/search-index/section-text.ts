import type { Section } from '@pith-mcp/cleaner'
import { termsOf } from '@pith-mcp/scorer'

/** The Markdown of blocks, for searching. */
export const textOf = (blocks: Section['blocks']): string =>
  blocks.map((block) => block.markdown).join('\n')

/** Titles of the sections around a section, outermost first. */
export function pathOf(section: Section, byId: ReadonlyMap<string, Section>): string[] {
  const path: string[] = []
  for (let next = byId.get(section.parent ?? ''); next; next = byId.get(next.parent ?? ''))
    path.unshift(next.title)
  return path
}

/**
 * A longer text is ranked by the passages with the most search terms, up to this many characters.
 */
const maxRanked = 20_000
const passageLength = 1_000
/** Characters read beyond a passage, so that its last word is complete. */
const overlap = 64

/**
 * The text for ranking: all of it, or, if it is long, the passages with the most terms, in order.
 * Takes linear time.
 */
export function passagesWith(text: string, terms: ReadonlySet<string>): string {
  if (text.length <= maxRanked) return text
  const passages: { at: number; terms: number }[] = []
  for (let at = 0; at < text.length; at += passageLength) {
    const found = new Set(termsOf(text.slice(at, at + passageLength + overlap)))
    let count = 0
    for (const term of terms) if (found.has(term)) count++
    passages.push({ at, terms: count })
  }
  return passages
    .toSorted((a, b) => b.terms - a.terms || a.at - b.at)
    .slice(0, maxRanked / passageLength)
    .toSorted((a, b) => a.at - b.at)
    .map(({ at }) => text.slice(at, at + passageLength + overlap))
    .join('\n')
}
