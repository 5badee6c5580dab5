import type { Docs } from '@pith-mcp/docs'

interface NamedSection {
  id: string
  title: string
}

/** Headings below the title of the page. */
export async function sectionsOf(url: string, docs: Docs): Promise<NamedSection[]> {
  const { entries, title } = await docs.toc(url)
  const headings = entries.filter((entry) => entry.kind === 'heading')
  const [first] = headings
  return first?.title === title ? headings.slice(1) : headings
}

/** Ids of all sections with a title, ignoring case and blanks. */
export function idsOf(title: string, sections: readonly NamedSection[]): string[] {
  const key = keyOf(title)
  return sections.filter((section) => keyOf(section.title) === key).map(({ id }) => id)
}

const keyOf = (title: string): string => title.trim().toLowerCase().split(/\s+/).join(' ')
