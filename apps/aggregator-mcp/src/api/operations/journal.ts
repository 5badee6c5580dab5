import { type JournalLine, searchJournal } from '@pith-mcp/aggregator'
import type { z } from 'zod'
import { sinceMs } from '../../since.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { ApiError } from '../operation/problem.ts'
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
    async run({ query, signal }, { journalFolder }) {
      if (journalFolder === undefined)
        throw new ApiError(
          409,
          'no_journal',
          'The journal is disabled.',
          'Enable it under aggregator.journal in the configuration, and run without --no-state.',
        )
      const { text, limit, before } = query
      return searchJournal(journalFolder, {
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

function timeOf(text: string | undefined, name: string): string | undefined {
  if (text === undefined || text === '') return undefined
  const ms = sinceMs(text)
  if (ms === undefined)
    throw new ApiError(
      400,
      'bad_request',
      `query.${name} must be a time such as 7d, 24h, 30m or 2026-11-01.`,
    )
  return new Date(Date.now() - ms).toISOString()
}
