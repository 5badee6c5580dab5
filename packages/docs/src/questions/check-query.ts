import { DocsError } from '../common/docs-error.ts'

/** @throws {DocsError} `bad_argument` for a query without a word. */
export function checkQuery(query: string): void {
  if (query.trim() === '')
    throw new DocsError(
      'bad_argument',
      'The query is empty.',
      'Pass one or more words to look for.',
    )
}
