import { searchJournal } from '@pith-mcp/aggregator'
import { journalFilter } from '../../journal-filter.ts'
import { journalOf, msSince } from '../operation/journal-of.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { journalPage, journalQuery } from '../schemas/journal.ts'

/** Milliseconds to search files. */
const maxSearchMs = 20_000

export const journalOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/journal',
    tag: 'journal',
    summary: 'Search the journal, newest lines first.',
    query: journalQuery,
    answer: journalPage,
    async run({ query, signal }, context) {
      const { text, limit, before } = query
      return searchJournal(journalOf(context), {
        matches: journalFilter(query),
        text: text?.toLowerCase(),
        since: timeOf(query.since, 'since'),
        until: timeOf(query.until, 'until'),
        limit,
        before,
        signal: AbortSignal.any([signal, AbortSignal.timeout(maxSearchMs)]),
      })
    },
  }),
]

const timeOf = (text: string | undefined, name: string): string | undefined =>
  text ? new Date(Date.now() - msSince(text, name)).toISOString() : undefined
