import type { Section } from '@pith-mcp/cleaner'

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
