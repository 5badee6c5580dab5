import type { JournalLine } from '@pith-mcp/aggregator'

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

/** True for lines with all the values; the outcome `failed` stands for all but `ok`. */
export function journalFilter(wanted: JournalWanted): (line: JournalLine) => boolean {
  const filters = Object.entries(journalMembers).flatMap(([name, member]) => {
    const value = wanted[name as keyof typeof journalMembers]
    return value === undefined || value === '' ? [] : [[member, value] as const]
  })
  const { outcome = '' } = wanted
  return (line) =>
    filters.every(([member, value]) => line[member] === value) &&
    (outcome === '' || (outcome === 'failed' ? line.outcome !== 'ok' : line.outcome === outcome))
}
