import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createFileJournal } from '../../../journal/src/file-journal.ts'
import type { JournalLine } from '../../../journal/src/journal.ts'
import { createFileJournalReader } from '../../../journal/src/journal-reader.ts'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { createAggregator } from '../../src/server/aggregator.ts'
import { answerRequest } from '../../src/server/methods/answer-request.ts'
import { configOf, createClient, createWorld, text, textOf } from '../fake-servers.ts'

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})
const newFolder = () => mkdtempSync(join(tmpdir(), 'pith-effects-'))

const hints: Record<string, JsonObject> = {
  pay: {},
  delete_all: { destructiveHint: true },
  put: { idempotentHint: true },
  read: { readOnlyHint: true },
}

/** An aggregator as a process of its own would have it. Its server hangs while it is stuck. */
function open(folder: string, options: Record<string, unknown> = {}) {
  const state = { isStuck: false, sent: [] as string[] }
  const world = createWorld({
    bank: {
      tools: Object.entries(hints).map(([name, annotations]) => ({
        name,
        definition: { annotations },
        run: () => {
          state.sent.push(name)
          return state.isStuck ? new Promise<never>(() => {}) : text('paid')
        },
      })),
    },
  })
  const journal = createFileJournal({ folder, onLog() {} })
  const reader = createFileJournalReader(folder)
  const aggregator = createAggregator({
    connect: world.connect,
    servers: [configOf('bank', (options['server'] as object) ?? {})],
    journal,
    // Each is a process here.
    effects: { find: reader.effects(), writers: new Set(), ...(options['effects'] as object) },
    mode: (options['mode'] as 'meta') ?? 'meta',
  })
  closes.push(() => journal.close())
  const request = (name: string, args: JsonObject, more = {}) =>
    aggregator
      .request({ method: 'tools/call', params: { name, arguments: args } }, more)
      .then(textOf, String)
  const call = (tool_name: string, params: JsonObject = {}, more: JsonObject = {}) =>
    request('call', { module: 'bank', tool_name, params, ...more })
  /** Begins a call and leaves it, as a process that is killed does. */
  async function leave(tool_name: string, params: JsonObject = {}) {
    await call('read')
    state.isStuck = true
    void call(tool_name, params)
    await expect.poll(() => state.sent.includes(tool_name)).toBe(true)
  }
  const lines = async () => {
    const all: JournalLine[] = []
    for await (const line of reader.read()) all.push(line)
    return all
  }
  return { aggregator, call, request, leave, lines, reader, state }
}

const unknown =
  /^bank\.pay was sent with the same arguments at 20\S+, and its outcome is unknown: it may have been done\. It was not sent again\. .* add "again": true/

describe('a call whose process ended', () => {
  test('is not sent again by the next one, which says how it is', async () => {
    const folder = newFolder()
    await open(folder).leave('pay', { amount: 5, to: 'a' })
    const next = open(folder)
    expect(await next.call('pay', { to: 'a', amount: 5 })).toMatch(unknown)
    expect(next.state.sent).toEqual([])
    expect(await next.call('pay', { to: 'b', amount: 5 })).toBe('paid')
    expect(await next.call('pay', { to: 'a', amount: 5 }, { again: true })).toBe('paid')
    expect(await next.call('pay', { to: 'a', amount: 5 })).toBe('paid')
  })

  test('has one line, which the next start writes', async () => {
    const folder = newFolder()
    await open(folder).leave('pay')
    const next = open(folder)
    for (let start = 0; start < 3; start++) await next.aggregator.deps.effects?.judge(next.reader)
    expect(await next.call('pay')).toMatch(unknown)
    const lines = (await next.lines()).filter(({ tool }) => tool === 'pay')
    expect(lines.map(({ kind, outcome }) => `${kind} ${outcome}`).sort()).toEqual([
      'begun begun',
      'call outcome_unknown',
      'call unknown',
    ])
  })

  test('is sent again at once, if it may be', async () => {
    const folder = newFolder()
    await open(folder).leave('put')
    expect(await open(folder).call('put')).toBe('paid')
    await open(folder).leave('pay')
    expect(await open(folder, { effects: { holdRepeatsMinutes: 0 } }).call('pay')).toBe('paid')
  })

  test('is asked for in a batch, too', async () => {
    const folder = newFolder()
    await open(folder).leave('pay')
    const next = open(folder)
    const line = { module: 'bank', tool_name: 'pay', output: true }
    const batch = (more: JsonObject) =>
      next.request('batch', { commands: JSON.stringify({ ...line, ...more }) })
    expect(await batch({})).toContain('its outcome is unknown')
    expect(await batch({ again: true })).toContain('paid')
  })

  test.each(['list', 'full'] as const)('is sent by the same call once more in %s', async (mode) => {
    const folder = newFolder()
    await open(folder).leave('pay')
    const next = open(folder, { mode })
    expect(await next.request('bank__pay', {})).toMatch(/make the same call once more\.$/)
    expect(next.state.sent).toEqual([])
    expect(await next.request('bank__pay', {})).toBe('paid')
  })
})

test.each([
  ['accept', 'paid', 1],
  ['decline', 'its outcome is unknown', 0],
])('a client that can be asked is asked: %s', async (action, expected, sent) => {
  const folder = newFolder()
  await open(folder).leave('pay')
  const { aggregator, state } = open(folder)
  const asked: string[] = []
  const client = createClient({
    capabilities: { elicitation: { form: {} } },
    answer({ params }) {
      asked.push(String(params?.['message']))
      return { action, content: {} }
    },
  })
  const params = { name: 'call', arguments: { module: 'bank', tool_name: 'pay', params: {} } }
  const request = { method: 'tools/call', params }
  const answer = textOf(await answerRequest(request, client.context(), aggregator.deps))
  expect(asked).toEqual([
    expect.stringMatching(/^Send this call again\? bank\.pay was sent .*unknown\.$/),
  ])
  expect(answer).toContain(expected)
  expect(state.sent).toHaveLength(sent)
})

test('a call that timed out is not sent again, and one that was answered is', async () => {
  const folder = newFolder()
  const { call, state } = open(folder, { server: { timeoutMs: 50 } })
  expect(await call('pay')).toBe('paid')
  expect(await call('pay')).toBe('paid')
  state.isStuck = true
  expect(await call('pay')).toContain('did not answer')
  expect(await call('pay')).toMatch(/its outcome is unknown \(timeout\): it may have been done/)
  expect(state.sent).toHaveLength(3)
})

test('equal calls of a running process are all sent', async () => {
  const { call, state } = open(newFolder())
  const all = await Promise.all(Array.from({ length: 5 }, () => call('pay', { n: 1 })))
  expect(all).toEqual(Array(5).fill('paid'))
  expect(state.sent).toHaveLength(5)
})

test('what only reads has no line before it', async () => {
  const { call, lines } = open(newFolder())
  for (const tool of Object.keys(hints)) await call(tool)
  const begun = (await lines()).filter(({ kind }) => kind === 'begun')
  expect(begun.map(({ tool }) => tool)).toEqual(['pay', 'delete_all', 'put'])
})

test('a call whose line cannot be written is not sent', async () => {
  const folder = join(newFolder(), 'journal')
  mkdirSync(join(folder, '..'), { recursive: true })
  writeFileSync(folder, '')
  const { call, state } = open(folder)
  expect(await call('pay')).toMatch(/cannot be written: .* Nothing was called\./)
  expect(await call('read')).toBe('paid')
  expect(state.sent).toEqual(['read'])
})
