import type { JournalLine } from '@pith-mcp/aggregator'
import { expect, test } from 'vitest'
import { causeOf, journalFilter } from '../../src/operations/journal.ts'

const line = (outcome: string, message?: string, kind: JournalLine['kind'] = 'call') =>
  ({ time: '', kind, outcome, ...(message && { message }) }) as JournalLine

test.each([
  ['timeout', 'no answer within 60 s', 'timeout: no answer within # s'],
  ['rpc_-32602', 'row 4,096 of "a b" at 12:30', 'rpc_-32602: row # of "…" at #'],
  [
    'needs_approval',
    'waits for approval d1aec2b9, until 12:30',
    'needs_approval: waits for approval #, until #',
  ],
  ['tool_error', undefined, 'tool_error'],
])('what differs between %s lines is left out of the cause', (outcome, message, cause) => {
  expect(causeOf(line(outcome, message))).toBe(cause)
})

test('a client that cannot be asked is not a failure', () => {
  const matches = journalFilter({ outcome: 'failed' })
  expect(matches(line('cannot_ask', 'no roots', 'ask'))).toBe(false)
  expect(matches(line('timeout'))).toBe(true)
})

test('a cause matches calls with other numbers, and no events', () => {
  const matches = journalFilter({ cause: 'tool_held: of # tools' })
  expect(matches(line('tool_held', 'of 4 tools'))).toBe(true)
  expect(matches(line('tool_held', 'of 4 tools', 'event'))).toBe(false)
  expect(matches(line('timeout', 'of 4 tools'))).toBe(false)
})
