import {
  createMemoryApprovalStore,
  type JournalLine,
  type JournalReader,
} from '@pith-mcp/aggregator'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { attentionOf, lineOf } from '../../src/attention/attention-of.ts'
import { activityOf, createActivity } from '../../src/attention/recent-activity.ts'

const now = Date.parse('2026-11-26T12:00:00.000Z')
beforeEach(() => {
  vi.useFakeTimers({ now })
})
afterEach(() => vi.useRealTimers())

const before = (minutes: number): string => new Date(now - minutes * 60_000).toISOString()
const line = (more: Partial<JournalLine>): JournalLine => ({
  time: before(1),
  kind: 'call',
  outcome: 'ok',
  ...more,
})
const times = (count: number, more: Partial<JournalLine>): JournalLine[] =>
  Array.from({ length: count }, () => line(more))

function activityWith(...lines: JournalLine[]) {
  const { add, now: sum } = createActivity()
  for (const each of lines) add(each)
  return sum()
}

const server = (name: string, state: 'ready' | 'down', held = 0, lastError?: string) => ({
  ...{
    name,
    state,
    held,
    lastError,
    calls: 0,
    starts: 0,
    notReviewed: 0,
    marked: 0,
    sharing: 'all' as const,
    pids: [],
  },
})
const textsOf = (...lines: JournalLine[]): string[] =>
  attentionOf(activityWith(...lines)).map(({ subject, text }) => `${subject}: ${text}`)

test('every kind has its words and its fix, the most important first', () => {
  const activity = activityWith(
    ...times(15, { module: 'slow', outcome: 'timeout' }),
    ...times(15, { module: 'slow' }),
    line({ outcome: 'budget_spent', kind: 'meta' }),
    line({ outcome: 'rate_limited', module: 'a' }),
    line({ outcome: 'rejected', kind: 'event', count: 7 }),
  )
  const items = attentionOf({
    ...activity,
    servers: [
      server('my notes', 'down', 0, 'It exited with code 3\nError: no DATABASE_URL'),
      { ...server('odd', 'ready', 2), state: 'needs_sign_in' },
      { ...server('bad', 'ready'), state: 'unusable', lastError: '${KEY} is not set.' },
      server('fine', 'ready', 1),
    ],
    journalLoss: { lines: 2, message: 'ENOSPC', time: before(3) },
    documents: ['tokens all'],
    idle: ['aggregator.profiles.x.deny: "a.b" matches no tool.'],
  })
  expect(items.map(lineOf).join('\n')).toMatchInlineSnapshot(`
    "  ! journal: 2 lines of the journal could not be written, the last at 2026-11-26T11:57:00.000Z: ENOSPC. Make it writable: aggregator-mcp journal --outcome journal_gap
      ! database: The document tokens all in the database is not signed with PITH_CLUSTER_KEY, or is an old one. It does not count. Use the key of the other replicas, or make the change again.
      ! bad: The server cannot be used: \${KEY} is not set. Correct its entry: aggregator-mcp doctor bad
      ! my notes: The server is down: It exited with code 3 … Check it: aggregator-mcp doctor "my notes"
      ! odd: The server needs a sign-in. Sign in: aggregator-mcp login odd
      ! odd: 2 tools wait for your approval. Review: aggregator-mcp pin diff odd
      ! fine: 1 tool waits for your approval. Review: aggregator-mcp pin diff fine
      ! slow: 15 of 30 calls failed in the last hour. See why: aggregator-mcp journal --server slow --outcome failed --since 1h
      ! aggregator.limits: 1 request refused in 24 hours: a rate limit was reached. See which: aggregator-mcp journal --outcome rate_limited --since 24h
      ! sessionTokens: 1 request refused in 24 hours: the token budget of a session was used up. See which: aggregator-mcp journal --outcome budget_spent --since 24h
      ! HTTP: 7 requests refused in 24 hours: rules or limits do not allow them. See which: aggregator-mcp journal --outcome rejected --since 24h
      ! configuration: aggregator.profiles.x.deny: "a.b" matches no tool. Correct or remove it: aggregator-mcp doctor"
  `)
  expect(items.map(({ kind, tone, fix }) => `${kind} ${tone} ${fix.page}`)).toMatchInlineSnapshot(`
    [
      "lines_lost bad /journal?outcome=journal_gap",
      "document_refused bad undefined",
      "server_unusable bad /servers/bad",
      "server_down bad /servers/my%20notes",
      "needs_sign_in warn /servers/odd",
      "tools_held warn /pins?server=odd",
      "tools_held warn /pins?server=fine",
      "failing warn /journal?server=slow&outcome=failed&since=1h",
      "limit_reached warn /journal?outcome=rate_limited&since=24h",
      "limit_reached warn /journal?outcome=budget_spent&since=24h",
      "requests_rejected warn /journal?outcome=rejected&since=24h",
      "setting_idle info /profiles",
    ]
  `)
})

test('a server fails with 20 calls in an hour of which a quarter failed; refused ones are none', () => {
  const calls = (good: number, bad: number, time = before(1)) => [
    ...times(good, { module: 'a', time }),
    ...times(bad, { module: 'a', time, outcome: 'tool_error' }),
  ]
  expect(textsOf(...calls(15, 5))).toEqual(['a: 5 of 20 calls failed in the last hour.'])
  expect(textsOf(...calls(16, 5))).toEqual([])
  expect(textsOf(...calls(0, 19))).toEqual([])
  expect(textsOf(...calls(15, 5, before(61)))).toEqual([])
  expect(textsOf(...calls(20, 0), ...times(9, { module: 'a', outcome: 'too_many' }))).toEqual([
    'maxConcurrency: 9 requests refused in 24 hours: too many calls were waiting for a server.',
  ])
})

test('what was refused more than a day ago, or is only said to be held, needs nobody', () => {
  expect(
    textsOf(
      line({ outcome: 'rate_limited', time: before(24 * 60 + 1) }),
      line({ outcome: 'rejected', kind: 'event', time: before(-5) }),
      line({ outcome: 'tool_held', kind: 'event', module: 'a' }),
      line({ outcome: 'tool_held', module: 'a' }),
    ),
  ).toEqual([])
})

test('a gap that the process and the journal know is one', () => {
  const gap = line({ outcome: 'journal_gap', kind: 'event', count: 4, message: 'ENOSPC' })
  const journalLoss = { lines: 4, message: 'ENOSPC', time: gap.time }
  const items = attentionOf({ ...activityWith(gap), journalLoss })
  expect(items.map(({ text }) => text)).toEqual([
    `4 lines of the journal could not be written, the last at ${gap.time}: ENOSPC.`,
  ])
})

test('clients are seen with any line, and have called with some', () => {
  const { clients } = activityWith(
    line({ client: 'one', kind: 'list', time: before(9) }),
    line({ client: 'one', kind: 'meta', time: before(30) }),
    line({ client: 'two', kind: 'list', time: before(5) }),
    line({}),
  )
  expect(Object.fromEntries(clients)).toEqual({
    one: { lastSeen: before(9), lastCall: before(30) },
    two: { lastSeen: before(5), lastCall: undefined },
  })
})

test('a client that gives a thousand names fills no memory', () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => line({ client: `n${index}` }))
  expect(activityWith(...lines).clients.size).toBe(1_000)
})

test('each period has a reader of its own, whichever was asked for first', async () => {
  const time = before(10 * 24 * 60)
  const tail = () => ({
    readNew: async (add: (old: JournalLine) => void, firstDay: string) => {
      if (time.slice(0, 10) >= firstDay) add(line({ time, client: 'cursor' }))
    },
  })
  const state = {
    journalReader: { tail } as unknown as JournalReader,
    approvals: createMemoryApprovalStore(),
  }
  expect((await activityOf(state, 1)).clients.size).toBe(0)
  expect((await activityOf(state, 30)).clients.get('cursor')?.lastCall).toBe(time)
})

test('no line is read twice, however the reads of several callers overlap', async () => {
  let running = 0
  let most = 0
  const ends: (() => void)[] = []
  const tail = () => ({
    readNew: async () => {
      most = Math.max(most, ++running)
      await new Promise<void>((resolve) => ends.push(resolve))
      running--
    },
  })
  const state = {
    journalReader: { tail } as unknown as JournalReader,
    approvals: createMemoryApprovalStore(),
  }
  const first = activityOf(state, 1)
  const others = [activityOf(state, 1), first.then(() => activityOf(state, 1))]
  const last = first.then(() => activityOf(state, 1))
  while (ends.length < 2) {
    ends.at(-1)?.()
    await vi.advanceTimersByTimeAsync(1)
  }
  const late = activityOf(state, 1)
  ends.at(-1)?.()
  await Promise.all([...others, last, late])
  expect(most).toBe(1)
})
