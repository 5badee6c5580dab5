import { expect, test } from 'vitest'
import type { Schemas } from '../web/api/schemas.ts'
import { isPlainReader, matching, rowsOf } from '../web/pins/waiting-rows.ts'

type Tool = Schemas['WaitingTool']

const toolOf = (tool: string, more: Partial<Tool> = {}): Tool => ({
  tool,
  hash: `hash of ${tool}`,
  reasons: ['new server, not reviewed yet'],
  seenAt: '2026-01-01T00:00:00.000Z',
  isChanged: false,
  hasFindings: false,
  declared: [],
  isReadOnly: false,
  isDestructive: false,
  isOpenWorld: false,
  isPinnedElsewhere: false,
  isExcluded: false,
  ...more,
})

const serverOf = (server: string, ...waiting: Tool[]): Schemas['PinnedServer'] => ({
  server,
  source: 'source',
  pinned: 0,
  waitCount: waiting.length,
  waiting,
  omitted: 0,
})

const reader = { isReadOnly: true, isOpenWorld: true, declared: ['readOnlyHint'] } as const

test('the riskiest come first, declared ones before those by default, read-only and excluded last', () => {
  const rows = rowsOf([
    serverOf(
      'a',
      toolOf('excluded', { isExcluded: true, hasFindings: true }),
      toolOf('reader', { ...reader, declared: [...reader.declared] }),
      toolOf('list'),
      toolOf('open', { isOpenWorld: true }),
      toolOf('delete', { isDestructive: true, isOpenWorld: true }),
      toolOf('destructive', { isDestructive: true, declared: ['destructiveHint'] }),
      toolOf('changed reader', { ...reader, declared: [...reader.declared], isChanged: true }),
      toolOf('poisoned', { hasFindings: true }),
    ),
  ])
  expect(rows.map(({ tool }) => tool)).toEqual([
    'poisoned',
    'changed reader',
    'destructive',
    'delete',
    'open',
    'list',
    'reader',
    'excluded',
  ])
  expect(rows.filter(isPlainReader).map(({ tool }) => tool)).toEqual(['reader'])
})

test('accounts share a row if they would replace the same by the same', () => {
  const changed = { isChanged: true, pinnedHash: 'old' }
  const rows = rowsOf([
    serverOf('mail@home', toolOf('x'), toolOf('y', changed), toolOf('z')),
    serverOf('mail@work', toolOf('x', { reasons: ['new since 2026-01-01'] }), toolOf('y', changed)),
    serverOf('mail@club', toolOf('y', { ...changed, pinnedHash: 'other' })),
    serverOf('mailbox', toolOf('x')),
  ])
  expect(rows.map(({ server, tool, units }) => [server, tool, ...units])).toEqual([
    ['mail', 'y', 'mail@home', 'mail@work'],
    ['mail', 'y', 'mail@club'],
    ['mail', 'x', 'mail@home', 'mail@work'],
    ['mail', 'z', 'mail@home'],
    ['mailbox', 'x', 'mailbox'],
  ])
  expect(rows[2]?.reasons).toEqual(['new server, not reviewed yet', 'new since 2026-01-01'])
})

test('rows are filtered by server or account, kind and words', () => {
  const rows = rowsOf([
    serverOf('mail@home', toolOf('read_mail'), toolOf('send_mail', { isDestructive: true })),
    serverOf('files', toolOf('read_file', { hasFindings: true, reasons: ['hidden characters'] })),
  ])
  const names = (query: Parameters<typeof matching>[1]) =>
    matching(rows, query).map(({ tool }) => tool)
  expect(names({ server: 'mail' })).toEqual(['send_mail', 'read_mail'])
  expect(names({ server: 'mail@home', kind: 'destructive' })).toEqual(['send_mail'])
  expect(names({ q: 'READ mail' })).toEqual(['read_mail'])
  expect(names({ q: 'hidden' })).toEqual(['read_file'])
  expect(names({ kind: 'no such kind' })).toHaveLength(3)
})
