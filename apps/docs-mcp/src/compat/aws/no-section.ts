import type { Docs } from '@pith-mcp/docs'
import { CallError } from '@pith-mcp/server-kit/tools'
import { sectionsOf } from './page-sections.ts'

const maxListed = 60

/** If no section has that name, lists the existing ones. Other errors are rethrown. */
export async function orNoSection(
  error: { code?: string },
  titles: readonly string[],
  url: string,
  docs: Docs,
): Promise<never> {
  if (error.code !== 'section_not_found') throw error
  throw noneOf(titles, await sectionsOf(url, docs))
}

/** Names as a list; each is cut to the length of a title. */
export function quoted(names: readonly string[], most = 20): string {
  const shown = names.slice(0, most).map((name) => JSON.stringify(name.slice(0, 120)))
  const more = names.length > most ? ` and ${names.length - most} more` : ''
  return shown.join(', ') + more
}

function noneOf(titles: readonly string[], page: readonly { title: string }[]): CallError {
  if (page.length === 0)
    return new CallError(
      'This document does not contain subsections.',
      'Please use the read_documentation tool instead to get the full document content.',
    )
  const listed = quoted(
    page.map(({ title }) => title),
    maxListed,
  )
  return new CallError(
    `No matching sections were found: ${quoted(titles)}. Available sections: ${listed}.`,
    'Please retry with one or more of these sections or use the read_documentation tool instead to get the full document content.',
  )
}
