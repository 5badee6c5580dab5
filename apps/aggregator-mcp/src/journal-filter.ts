import { type JournalLine, refusals } from '@pith-mcp/aggregator'

/** Members of a line by the names that the API and the command line filter by. */
export const journalMembers = {
  kind: 'kind',
  server: 'module',
  tool: 'tool',
  account: 'account',
  caller: 'caller',
  profile: 'profile',
  session: 'session',
} as const satisfies Record<string, keyof JournalLine>

/** Values of a line; those that are missing or empty match all. */
export type JournalWanted = Partial<
  Record<keyof typeof journalMembers | 'outcome', string | undefined>
>

/**
 * True for lines with all the values; the outcome `refused` stands for calls that a rule or limit
 * refused, and `failed` for all others but `ok`.
 */
export function journalFilter(wanted: JournalWanted): (line: JournalLine) => boolean {
  const filters = Object.entries(journalMembers).flatMap(([name, member]) => {
    const value = wanted[name as keyof typeof journalMembers]
    return value === undefined || value === '' ? [] : [[member, value] as const]
  })
  const { outcome = '' } = wanted
  return (line) =>
    filters.every(([member, value]) => line[member] === value) &&
    (outcome === '' || isOutcome(line, outcome))
}

function isOutcome({ kind, outcome }: JournalLine, wanted: string): boolean {
  // An event that says that a tool is held is no failure.
  const isRefused = refusals.includes(outcome)
  if (wanted === 'refused') return isRefused && kind !== 'event'
  if (wanted === 'failed') return outcome !== 'ok' && !isRefused
  return outcome === wanted
}
