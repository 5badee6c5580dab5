import { type JournalLine, searchJournal } from '@pith-mcp/aggregator'
import type { z } from 'zod'
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
        matches: matcherFor(query),
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

type Query = z.output<typeof journalQuery>

const members = {
  kind: 'kind',
  server: 'module',
  tool: 'tool',
  account: 'account',
  caller: 'caller',
  profile: 'profile',
  session: 'session',
} as const satisfies Partial<Record<keyof Query, keyof JournalLine>>

function matcherFor(query: Query): (line: JournalLine) => boolean {
  const filters = Object.entries(members).flatMap(([key, member]) => {
    const value = query[key as keyof typeof members]
    return value === undefined || value === '' ? [] : [[member, value] as const]
  })
  const { outcome = '' } = query
  return (line) =>
    filters.every(([member, value]) => line[member] === value) &&
    (outcome === '' || (outcome === 'failed' ? line.outcome !== 'ok' : line.outcome === outcome))
}

const timeOf = (text: string | undefined, name: string): string | undefined =>
  text ? new Date(Date.now() - msSince(text, name)).toISOString() : undefined
