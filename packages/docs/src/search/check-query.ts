import { DocsError } from '#formats/docs-error'

/** @throws {DocsError} `bad_argument` for an empty query. */
export function checkQuery(query: string): void {
  if (query.trim() === '')
    throw new DocsError(
      'bad_argument',
      'The query is empty.',
      'Pass one or more words to search for.',
    )
}

const maxWordings = 4

/**
 * The wordings of a question, each once.
 *
 * @throws {DocsError} `bad_argument` for none, an empty one or more than four.
 */
export function checkQueries(query: string | readonly string[]): string[] {
  const queries = [...new Set(typeof query === 'string' ? [query] : query)]
  if (queries.length === 0) checkQuery('')
  for (const wording of queries) checkQuery(wording)
  if (queries.length > maxWordings)
    throw new DocsError(
      'bad_argument',
      `${queries.length} wordings were passed; the limit is ${maxWordings} per search.`,
      'Pass the best ones, or search again.',
    )
  return queries
}
