import type { Section } from '@pith-mcp/cleaner'
import { termsOf } from '@pith-mcp/scorer'

/** The Markdown of blocks, to be searched. */
export const textOf = (blocks: Section['blocks']): string =>
  blocks.map((block) => block.markdown).join('\n')

/** Titles of the sections around one, outermost first. */
export function pathOf(section: Section, byId: ReadonlyMap<string, Section>): string[] {
  const path: string[] = []
  for (let next = byId.get(section.parent ?? ''); next; next = byId.get(next.parent ?? ''))
    path.unshift(next.title)
  return path
}

/** Characters of a text up to which all of it is ranked; of a longer one, that many are. */
const maxRanked = 20_000
const passageLength = 1_000
/** A word at the end of a passage is read whole. */
const overlap = 64

/**
 * A text as it is ranked: all of it, or of a long one the passages that have the most of some terms,
 * in order, wherever they stand. Takes time linear in the text.
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
