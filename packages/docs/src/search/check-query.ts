import { DocsError } from '../protocol/docs-error.ts'

/** @throws {DocsError} `bad_argument` for an empty query. */
export function checkQuery(query: string): void {
  if (query.trim() === '')
    throw new DocsError(
      'bad_argument',
      'The query is empty.',
      'Pass one or more words to search for.',
    )
}
