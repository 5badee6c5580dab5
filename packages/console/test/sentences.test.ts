import { describe, expect, test } from 'vitest'
import { groupHeld, sentenceOf } from '../web/journal/sentences.ts'
import { callerName } from '../web/text/caller-name.ts'

type Line = Parameters<typeof sentenceOf>[0]

const time = '2026-07-10T12:00:00.000Z'
const textOf = (line: Omit<Line, 'time'>, count?: number): string =>
  sentenceOf({ time, ...line }, count)
    .map((part) => (typeof part === 'string' ? part : part.name))
    .join('')

const call = { kind: 'call', caller: 'ada', module: 'github', tool: 'create_issue' } as const
const admin = { kind: 'admin', caller: 'owner', via: 'console', outcome: 'ok' } as const

describe('a sentence', () => {
  test.each<[string, Omit<Line, 'time'>]>([
    ['ada called github.create_issue', { ...call, outcome: 'ok' }],
    [
      'ci (token) called github@work.create_issue in batch: the server replied with error -32602',
      { ...call, caller: 'token:ci#a1', account: 'work', via: 'batch', outcome: 'rpc_-32602' },
    ],
    [
      'ada called github.create_issue: refused by a rate limit',
      { ...call, outcome: 'rate_limited' },
    ],
    [
      'ada called github.create_issue: was refused by the permissions',
      { ...call, outcome: 'call_denied' },
    ],
    ['ada called github.create_issue: waits for approval', { ...call, outcome: 'needs_approval' }],
    [
      'ada called github.create_issue: was refused by a person',
      { ...call, outcome: 'approval_refused' },
    ],
    [
      'The owner approved the call a1b2 --keep in the console',
      { ...admin, tool: 'approvals approve a1b2 --keep' },
    ],
    ['ada called github.create_issue: failed with sunk', { ...call, outcome: 'sunk' }],
    [
      'claude-code called a server.x',
      { kind: 'call', client: 'claude-code', tool: 'x', outcome: 'ok' },
    ],
    [
      'A client used the meta-tool search_tools',
      { kind: 'meta', tool: 'search_tools', outcome: 'ok' },
    ],
    [
      'A client used the meta-tool call: there is no such tool',
      { kind: 'meta', tool: 'call', outcome: 'unknown_tool' },
    ],
    [
      'ada read file:///a of docs',
      {
        kind: 'read',
        caller: 'ada',
        module: 'docs',
        tool: 'resources/read',
        target: 'file:///a',
        outcome: 'ok',
      },
    ],
    [
      'ada sent odd/method to a server: no answer in time',
      { kind: 'read', caller: 'ada', tool: 'odd/method', outcome: 'timeout' },
    ],
    [
      'docs asked the user of ada: the question was not passed on',
      {
        kind: 'ask',
        caller: 'ada',
        module: 'docs',
        tool: 'elicitation/create',
        outcome: 'cannot_ask',
      },
    ],
    ['ada listed the tools', { kind: 'list', caller: 'ada', outcome: 'ok' }],
    ['The owner disabled notes in the console', { ...admin, tool: 'disable notes' }],
    [
      'ops (session) created the token ci through the API',
      { ...admin, caller: 'session:ops#9', via: 'api', tool: 'token create ci' },
    ],
    [
      'User 1000 approved the tools of all servers on the command line',
      { ...admin, caller: 'user:1000', via: 'cli', tool: 'pin approve --all' },
    ],
    [
      'The owner set mcpServers.a.enabled in the console',
      { ...admin, tool: 'config set mcpServers.a.enabled' },
    ],
    ['The owner ran “polish notes” in the console', { ...admin, tool: 'polish notes' }],
    [
      'The owner ran “add a” in the console: failed',
      { ...admin, tool: 'add a', outcome: 'failed' },
    ],
    ['The owner opened a session in the console', { ...admin, tool: 'POST /session' }],
    [
      'The aggregator reloaded the configuration',
      { kind: 'admin', via: 'config', tool: 'reload', outcome: 'ok' },
    ],
    [
      'Retention removed 4 lines of 2026-01-01, 900 bytes: retentionDays',
      {
        kind: 'admin',
        via: 'retention',
        tool: 'remove 2026-01-01',
        outcome: 'ok',
        message: '4 lines of 2026-01-01, 900 bytes: retentionDays',
      },
    ],
    [
      'list_users of slack is held',
      { kind: 'event', module: 'slack', tool: 'list_users', outcome: 'tool_held' },
    ],
    ['3 HTTP requests rejected', { kind: 'event', outcome: 'rejected', count: 3 }],
    [
      '1 line of the journal could not be written',
      { kind: 'event', outcome: 'journal_gap', count: 1 },
    ],
    ['thunder', { kind: 'event', outcome: 'thunder' }],
  ])('says: %s', (sentence, line) => {
    expect(textOf(line)).toBe(sentence)
  })

  test('names pages of servers and tools, and marks what others wrote', () => {
    expect(sentenceOf({ time, ...call, outcome: 'ok' })).toEqual([
      { name: 'ada' },
      ' called ',
      { name: 'github', path: '/servers/github' },
      '.',
      { name: 'create_issue', path: '/tools/tool?server=github&name=create_issue' },
    ])
  })
})

test('tools that are held at once are one sentence', () => {
  const held = { kind: 'event', module: 'slack', outcome: 'tool_held', message: 'changed' } as const
  const lines: Line[] = [
    { time, ...held, tool: 'a' },
    { time, ...held, tool: 'b' },
    { time, ...held, tool: 'c', message: 'new' },
    { time, ...call, outcome: 'ok' },
    { time, ...call, outcome: 'ok' },
  ]
  expect(groupHeld(lines).map((group) => group.length)).toEqual([2, 1, 1, 1])
  expect(textOf(lines[0] as Line, 2)).toBe('2 tools of slack are held')
})

test('a caller is named without its id', () => {
  expect(['owner', 'token:a#b#c', 'jwt:x#1', 'ada'].map(callerName)).toEqual([
    'The owner',
    'a#b (token)',
    'x (jwt)',
    'ada',
  ])
})
