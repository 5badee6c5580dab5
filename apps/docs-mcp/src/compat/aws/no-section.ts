import type { Docs } from '@pith-mcp/docs'
import { CallError } from '../../call-error.ts'
import { sectionsOf } from './page-sections.ts'

const mostListed = 60

/** Where no section of that name is, those there are; other failures as they are. */
export async function orNoSection(
  error: { code?: string },
  titles: readonly string[],
  url: string,
  docs: Docs,
): Promise<never> {
  if (error.code !== 'section_not_found') throw error
  throw noneOf(titles, await sectionsOf(url, docs))
}

/** Names of a caller or a page in a list, of which none can be longer than a title is. */
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
    mostListed,
  )
  return new CallError(
    `No matching sections were found: ${quoted(titles)}. Available sections: ${listed}.`,
    'Please retry with one or more of these sections or use the read_documentation tool instead to get the full document content.',
  )
}
