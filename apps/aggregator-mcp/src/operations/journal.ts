import { type JournalLine, journalKinds, journalLine as line, refusals } from '@pith-mcp/aggregator'
import { timeLimit } from '@pith-mcp/base/race-abort'
import { z } from 'zod'
import { timeOf } from '../since.ts'
import { journalOf } from './context.ts'
import { component, type Operation, operation } from './operation.ts'

export const journalLine = component('JournalLine', line.shape)

const journalQuery = z.object({
  kind: z.enum(journalKinds).optional(),
  server: z.string().optional(),
  tool: z.string().optional(),
  account: z.string().optional(),
  caller: z.string().optional(),
  profile: z.string().optional(),
  session: z.string().optional(),
  request: z.string().optional().describe('Id of a request, as in the log, or of its trace.'),
  outcome: z
    .string()
    .optional()
    .describe(
      'One outcome; "refused" for calls that a rule or limit refused, "failed" for all others but ok.',
    ),
  cause: z
    .string()
    .optional()
    .describe(
      'Calls that failed or were refused for this cause, as GET /servers/{unit}/calls has it.',
    ),
  text: z.string().max(200).optional().describe('Text in any field, case-insensitive.'),
  since: z.string().optional().describe('7d, 24h, 30m, or a time in ISO 8601.'),
  until: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  before: z
    .string()
    .regex(
      /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T/,
      'must be the next of an earlier page',
    )
    .optional()
    .describe('The next of an earlier page.'),
})

/** Newest lines first. */
const journalPage = component('JournalPage', {
  lines: z.array(journalLine),
  next: z.string().optional().describe('Pass it as before to get older lines.'),
})

/** Milliseconds to search files. */
const maxSearchMs = 20_000

export const journalOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/journal',
    summary: 'Search the journal, newest lines first.',
    query: journalQuery,
    answer: journalPage,
    async run(query, context, { signal }) {
      const { text, since, until, limit, before } = query
      return journalOf(context).search({
        matches: journalFilter(query),
        text: text?.toLowerCase(),
        since: timeOf(since || undefined, 'query.since'),
        until: timeOf(until || undefined, 'query.until'),
        limit,
        before,
        signal: timeLimit(maxSearchMs, signal),
      })
    },
  }),
]

/** Members of a line by the names that the API and the command line filter by. */
export const journalMembers = {
  kind: 'kind',
  server: 'module',
  tool: 'tool',
  account: 'account',
  caller: 'caller',
  profile: 'profile',
  session: 'session',
  request: 'request',
} as const satisfies Record<string, keyof JournalLine>

/** Values of a line; those that are missing or empty match all. */
export type JournalQuery = Partial<
  Record<keyof typeof journalMembers | 'outcome' | 'cause', string | undefined>
>

/**
 * True for lines with all the values; the outcome `refused` stands for calls that a rule or limit
 * refused, and `failed` for all others but `ok`.
 */
export function journalFilter(query: JournalQuery): (line: JournalLine) => boolean {
  const filters = Object.entries(journalMembers).flatMap(([name, member]) => {
    const value = query[name as keyof typeof journalMembers]
    return value === undefined || value === '' ? [] : [[member, value] as const]
  })
  const { outcome = '', cause = '', kind = '' } = query
  return (line) =>
    // Each has a line of kind call, once its outcome is known or cannot be.
    (kind !== '' || line.kind !== 'begun') &&
    filters.every(([member, value]) => line[member] === value) &&
    (outcome === '' || isOutcome(line, outcome)) &&
    (cause === '' || (isCall(line) && causeOf(line) === cause))
}

/** What usage counts as a call, or as a refused one. */
export const isCall = ({ kind }: JournalLine): boolean => ['call', 'meta', 'read'].includes(kind)

/** The outcome and the message, which is the same for other numbers and other quoted values. */
export const causeOf = ({ outcome, message = '' }: JournalLine): string =>
  [
    outcome,
    message
      .replace(/"[^"]*"|`[^`]*`|“[^”]*”/g, '"…"')
      // Ids, also those of letters and digits, and numbers.
      .replace(/\b(?=[a-z-]*\d)[\da-f-]{6,}\b/g, '#')
      .replace(/\d[\d.,:]*/g, '#'),
  ]
    .filter(Boolean)
    .join(': ')

function isOutcome({ kind, outcome }: JournalLine, filter: string): boolean {
  // An event that says that a tool is held is no failure.
  const isRefused = refusals.includes(outcome)
  if (filter === 'refused') return isRefused && kind !== 'event'
  // A client that cannot be asked says so; no one has failed.
  if (filter === 'failed') return outcome !== 'ok' && outcome !== 'cannot_ask' && !isRefused
  return outcome === filter
}
