import fc from 'fast-check'
import { expect, test } from 'vitest'
import { claudeCode, meterOf, textOf } from './transcript-world.ts'

const place = '.claude/projects/a/session.jsonl'
const text = { type: 'text', text: 'Done.' }

test('a result is carried by each later request; a response of several lines is one', async () => {
  const lines = claudeCode()
  lines.prompt('Find it.')
  lines.answer('m1', 10_000, [
    text,
    lines.call('t1', 'mcp__github__search'),
    lines.call('t2', 'Read'),
  ])
  lines.result('t1', [{ type: 'text', text: textOf(1_000) }])
  lines.result('t2', textOf(200))
  lines.answer('m2', 11_250, [text, lines.call('t3', 'mcp__github__search')])
  lines.result('t3', textOf(100))
  lines.answer('m3', 11_400, [text])
  const { tools, total, parts, sessions, notes } = await meterOf({ [place]: lines.text() })
  expect(total).toBe(32_650)
  expect(parts).toBeCloseTo(total)
  expect(sessions).toMatchObject([{ id: 'session', requests: 3 }])
  const search = tools.find(({ tool }) => tool === 'search')
  expect(search).toMatchObject({ server: 'github', calls: 2 })
  expect(search?.tokens).toBeGreaterThan(1_050)
  expect(search?.tokens).toBeLessThan(1_170)
  expect(search?.carried).toBeGreaterThan(2_050)
  expect(search?.carried).toBeLessThan(2_200)
  expect(notes).toEqual({})
})

test('an agent has a context of its own, in its own file or in that of the session', async () => {
  const agent = claudeCode()
  const side = { isSidechain: true, agentId: 'a1' }
  agent.prompt('Read.', side)
  agent.answer('s1', 5_000, [agent.call('t1', 'mcp__files__read')], side)
  agent.result('t1', textOf(500), side)
  agent.answer('s2', 5_530, [text], side)
  const lines = claudeCode()
  lines.prompt('Ask an agent.')
  lines.answer('m1', 20_000, [lines.call('t9', 'Task')])
  lines.result('t9', 'Read.')
  lines.answer('m2', 20_030, [text])
  const own = await meterOf({
    [place]: lines.text(),
    '.claude/projects/a/session/subagents/agent-a1.jsonl': agent.text(),
  })
  const inside = await meterOf({
    [place]: lines.text() + agent.text().replaceAll('session-', 'x-'),
  })
  for (const { sessions, total, parts } of [own, inside]) {
    expect(sessions).toMatchObject([{ requests: 4 }])
    expect(total).toBe(50_560)
    expect(parts).toBeCloseTo(total)
    expect(sessions[0]?.results).toBeLessThan(520)
  }
})

test('after a compaction, results are no longer carried', async () => {
  const lines = claudeCode()
  lines.prompt('Find it.')
  lines.answer('m1', 10_000, [lines.call('t1', 'mcp__github__search')])
  lines.result('t1', textOf(1_000))
  lines.answer('m2', 11_050, [text])
  lines.other({ type: 'system', subtype: 'compact_boundary', parentUuid: null })
  lines.prompt('Summary.', { isCompactSummary: true })
  lines.answer('m3', 10_500, [text])
  lines.answer('m4', 10_520, [text])
  const { tools, notes, total, parts } = await meterOf({ [place]: lines.text() })
  expect(tools[0]?.carried).toBe(tools[0]?.tokens)
  expect(Object.keys(notes)).toEqual(['compaction, after which results are no longer carried'])
  expect(parts).toBeCloseTo(total)
})

test('a prompt that continues from an earlier one leaves later results behind', async () => {
  const lines = claudeCode()
  lines.prompt('One.')
  const first = lines.answer('m1', 10_000, [text])
  lines.prompt('Two.')
  lines.answer('m2', 10_020, [lines.call('t1', 'mcp__github__search')])
  lines.result('t1', textOf(1_000))
  lines.answer('m3', 11_060, [text])
  lines.prompt('Two, again.', { parentUuid: first })
  lines.answer('m4', 10_030, [text])
  const { tools, notes, total, parts } = await meterOf({ [place]: lines.text() })
  expect(tools[0]?.carried).toBe(tools[0]?.tokens)
  expect(notes).toEqual({ 'prompt that continues from an earlier one': 1 })
  expect(parts).toBeCloseTo(total)
})

test('what a resumed session copies is counted once, and carried on', async () => {
  const lines = claudeCode()
  lines.prompt('Find it.')
  lines.answer('m1', 10_000, [lines.call('t1', 'mcp__github__search')])
  lines.result('t1', textOf(1_000))
  lines.answer('m2', 11_050, [text])
  const before = lines.text()
  const after = claudeCode('next')
  after.prompt('More.')
  after.answer('m3', 11_100, [text])
  const copied = before.replaceAll('"sessionId":"session"', '"sessionId":"next"')
  const { tools, total, parts, sessions } = await meterOf({
    [place]: before,
    '.claude/projects/a/next.jsonl': copied + after.text(),
  })
  expect(total).toBe(32_150)
  expect(parts).toBeCloseTo(total)
  expect(sessions.map(({ id, requests }) => [id, requests])).toEqual([
    ['session', 2],
    ['next', 1],
  ])
  expect(tools).toMatchObject([{ calls: 1 }])
  expect(tools[0]?.carried).toBeCloseTo(2 * (tools[0]?.tokens ?? 0))
})

test('says what it could not read or does not know', async () => {
  const lines = claudeCode()
  lines.prompt('Find it.')
  lines.answer('m1', 10_000, [text])
  lines.other({ type: 'hologram' })
  lines.result('t9', 'A result of nothing.')
  lines.answer('m2', 9_000, [text])
  lines.prompt('Elsewhere.', { parentUuid: 'gone' })
  const { notes, sessions } = await meterOf({ [place]: `${lines.text()}no json\n{"type":"assis` })
  expect(notes).toEqual({
    'claude-code: record "hologram", not known': 1,
    'claude-code: prompt that continues from a line that is not there, not known': 1,
    'result of a call that is not there, counted as text': 1,
    'context that shrank without a mark': 1,
    'line that is not JSON': 1,
    'last line that is half-written': 1,
  })
  expect(sessions).toMatchObject([{ requests: 2, input: 19_000 }])
})

test('errors that the client writes itself are no requests; those without counts are estimates', async () => {
  const lines = claudeCode()
  lines.prompt('Find it.')
  lines.answer('m1', 10_000, [text])
  lines.other({ type: 'assistant', message: { id: 'e', model: '<synthetic>', content: [text] } })
  lines.other({ type: 'assistant', message: { id: 'm2', model: 'model', content: [text] } })
  const { notes, sessions, total, parts } = await meterOf({ [place]: lines.text() })
  expect(sessions[0]?.requests).toBe(2)
  expect(notes).toEqual({ 'request without counts of its provider: its tokens are estimates': 1 })
  expect(parts).toBeCloseTo(total)
})

test('no transcripts, and none of the period', async () => {
  const none = await meterOf({})
  expect(none.places.map(({ files }) => files)).toEqual([0, 0, 0, 0])
  expect(none.notes).toEqual({})
  const lines = claudeCode()
  lines.prompt('Find it.')
  const late = await meterOf({ [place]: lines.text() }, { since: Date.now() })
  expect(late.notes).toEqual({ 'file that ended before the period': 1 })
})

test('the call of a meta-tool is one of the server that it names', async () => {
  const lines = claudeCode()
  lines.prompt('Find it.')
  const call = lines.call('t1', 'mcp__pith__call', {
    server: 'github',
    tool: 'search',
    arguments: {},
  })
  lines.answer('m1', 10_000, [call])
  lines.result('t1', textOf(100))
  lines.answer('m2', 10_150, [text])
  const records = await meterOf(
    { [place]: lines.text() },
    { findRecord: (_, { server }) => (server ? { saved: 700, isOwn: false } : undefined) },
  )
  expect(records.tools).toMatchObject([{ server: 'github', tool: 'search', via: 'pith', calls: 1 }])
  expect(records.sessions[0]).toMatchObject({ saved: 700, aggregators: new Set(['pith']) })
})

test('the parts of all requests add up to their input, whatever the sizes', async () => {
  const step = fc.record({
    kind: fc.constantFrom('call', 'prompt', 'compaction', 'rewind'),
    size: fc.nat(3_000),
    counted: fc.nat(30_000),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const lines = claudeCode()
      const first = lines.prompt('Begin.')
      let input = 0
      for (const [at, { kind, size, counted }] of steps.entries()) {
        if (kind === 'prompt') lines.prompt(textOf(size))
        if (kind === 'rewind') lines.prompt('Again.', { parentUuid: first })
        if (kind === 'compaction')
          lines.other({ type: 'system', subtype: 'compact_boundary', parentUuid: null })
        const call = lines.call(`t${at}`, size % 2 ? 'Read' : 'mcp__a__b')
        lines.answer(`m${at}`, counted + 2, [text, call])
        lines.result(`t${at}`, textOf(size))
        input += counted + 2
      }
      const { total, parts, sessions } = await meterOf({ [place]: lines.text() })
      expect(total).toBe(input)
      expect(parts).toBeCloseTo(input, 3)
      for (const part of [sessions[0]?.results, sessions[0]?.text, sessions[0]?.preamble])
        expect(part).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 60 },
  )
})
