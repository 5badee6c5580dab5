import type { Docs } from '@pith-mcp/docs'
import { CallError } from '@pith-mcp/server-kit/tools'

const maxListed = 60

/** If no section has that name, lists the existing ones. Other errors are rethrown. */
export async function orNoSection(
  error: { code?: string },
  titles: readonly string[],
  url: string,
  docs: Docs,
): Promise<never> {
  if (error.code !== 'section_not_found') throw error
  const page = await sectionsOf(url, docs)
  if (page.length === 0)
    throw new CallError(
      'This document does not contain subsections.',
      'Please use the read_documentation tool instead to get the full document content.',
    )
  const sectionNames = quoted(
    page.map(({ title }) => title),
    maxListed,
  )
  throw new CallError(
    `No matching sections were found: ${quoted(titles)}. Available sections: ${sectionNames}.`,
    'Please retry with one or more of these sections or use the read_documentation tool instead to get the full document content.',
  )
}

/** Names as a list; each is cut to the length of a title. */
export function quoted(names: readonly string[], most = 20): string {
  const quotes = names.slice(0, most).map((name) => JSON.stringify(name.slice(0, 120)))
  const more = names.length > most ? ` and ${names.length - most} more` : ''
  return quotes.join(', ') + more
}

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
