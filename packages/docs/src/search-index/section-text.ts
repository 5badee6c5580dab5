import type { Section } from '@pith-mcp/cleaner'

/** The Markdown of blocks. */
export const textOf = (blocks: Section['blocks']): string =>
  blocks.map((block) => block.markdown).join('\n\n')

/** A reply has the text of a section up to this many parts before and after the one that matches. */
export const maxPartsAround = 50

/** Titles of the sections around a section, outermost first. */
export function pathOf(section: Section, byId: ReadonlyMap<string, Section>): string[] {
  const path: string[] = []
  for (let next = byId.get(section.parent ?? ''); next; next = byId.get(next.parent ?? ''))
    path.unshift(next.title)
  return path
}

/** A longer text is indexed in parts of this many characters, so that each is ranked by itself. */
const maxPartLength = 6_000

/** The text in parts, each of which ends at the end of a block, line or word if possible. */
export function partsOf(text: string): string[] {
  const parts: string[] = []
  let start = 0
  while (text.length - start > maxPartLength) {
    const most = start + maxPartLength
    const ends = ['\n\n', '\n', ' '].map((separator) => text.lastIndexOf(separator, most))
    const end = [...ends, most - 1].find((at) => at > start + maxPartLength / 2) as number
    parts.push(text.slice(start, end + 1))
    start = end + 1
  }
  return [...parts, text.slice(start)]
}
