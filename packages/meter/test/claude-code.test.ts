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

test.each([
  ['the first prompt', () => null, 1],
  ['a prompt after an interruption, which keeps the result before it', (at: string[]) => at[0], 3],
])('a prompt that replaces %s', async (_, parentOf, carries) => {
  const lines = claudeCode()
  lines.prompt('One.')
  lines.answer('m1', 10_000, [lines.call('t1', 'mcp__github__search')])
  lines.result('t1', textOf(1_000))
  const interrupted = lines.prompt('[Request interrupted by user]')
  lines.prompt('Two.')
  lines.answer('m2', 11_060, [text])
  const parentUuid = parentOf([interrupted])
  const input = carries === 1 ? 10_005 : 11_062
  lines.prompt('Two, again.', { parentUuid })
  lines.answer('m3', input, [text])
  lines.prompt('Three.')
  lines.answer('m4', input + 15, [text])
  const { tools, notes, total, parts } = await meterOf({ [place]: lines.text() })
  expect(tools[0]?.carried).toBeCloseTo(carries * (tools[0]?.tokens ?? 0))
  expect(notes).toEqual({ 'prompt that continues from an earlier one': 1 })
  expect(parts).toBeCloseTo(total)
})

test('results are carried after a second prompt that continues from an earlier one', async () => {
  const lines = claudeCode()
  lines.prompt('One.')
  const first = lines.answer('m1', 10_000, [text])
  for (const n of [1, 2]) {
    lines.prompt('Two.')
    lines.answer(`a${n}`, 10_020, [text])
    if (n === 1) lines.prompt('Two, again.', { parentUuid: first })
  }
  lines.answer('m2', 10_040, [lines.call('t1', 'mcp__github__search')])
  lines.result('t1', textOf(1_000))
  const after = lines.answer('m3', 11_070, [text])
  lines.prompt('Three.')
  lines.answer('m4', 11_090, [text])
  lines.prompt('Three, again.', { parentUuid: after })
  lines.answer('m5', 11_090, [text])
  const { tools, total, parts } = await meterOf({ [place]: lines.text() })
  expect(tools[0]?.carried).toBeCloseTo(3 * (tools[0]?.tokens ?? 0))
  expect(parts).toBeCloseTo(total)
})

test('results that the client removed are no longer carried', async () => {
  const lines = claudeCode()
  lines.prompt('One.')
  lines.answer('m1', 10_000, [
    lines.call('t1', 'mcp__github__search'),
    lines.call('t2', 'mcp__a__b'),
  ])
  lines.result('t1', textOf(1_000))
  lines.result('t2', textOf(100))
  lines.answer('m2', 11_140, [lines.call('t3', 'mcp__a__b')])
  lines.other({
    type: 'system',
    subtype: 'microcompact_boundary',
    microcompactMetadata: { compactedToolIds: ['t1'] },
  })
  lines.result('t3', textOf(2_000))
  lines.answer('m3', 12_180, [text])
  const { tools, notes, total, parts } = await meterOf({ [place]: lines.text() })
  const search = tools.find(({ tool }) => tool === 'search')
  expect(search?.carried).toBe(search?.tokens)
  expect(tools.find(({ tool }) => tool === 'b')?.tokens).toBeGreaterThan(2_050)
  expect(notes).toEqual({ 'results that the client removed from a context': 1 })
  expect(parts).toBeCloseTo(total)
})

test('output is counted once, and from the period only; a document is no text', async () => {
  const lines = claudeCode()
  lines.prompt('One.')
  lines.answer('m1', 10_000, [text, lines.call('t1', 'mcp__a__b'), lines.call('t2', 'Read')])
  lines.result('t1', textOf(5_000))
  const data = 'JVBERi0'.repeat(200_000)
  lines.result('t2', [{ type: 'document', source: { type: 'base64', data } }])
  lines.answer('m2', 16_700, [text])
  const copied = lines.text().replaceAll('"sessionId":"session"', '"sessionId":"next"')
  const { sessions, tools } = await meterOf({
    [place]: lines.text(),
    '.claude/projects/a/next.jsonl': copied,
  })
  expect(sessions.reduce((sum, { output }) => sum + output, 0)).toBe(40)
  expect(tools.find(({ tool }) => tool === 'b')?.tokens).toBeGreaterThan(4_900)
})

test('responses without ids, records of odd shapes, and links', async () => {
  const lines = claudeCode()
  lines.prompt('One.')
  for (const input of [10_000, 10_100, 10_200]) {
    const usage = { input_tokens: input, output_tokens: 5 }
    lines.other({ type: 'assistant', message: { model: 'm', content: [text], usage } })
  }
  const odd = `${JSON.stringify({ type: { toString: 1 } })}\n${'{"message":'.repeat(30_000)}1${'}'.repeat(30_000)}\n`
  const { sessions, notes } = await meterOf({ [place]: odd + lines.text() })
  expect(sessions).toMatchObject([{ requests: 3, input: 30_300 }])
  expect(Object.keys(notes)).toEqual(['claude-code: record "", not known'])
})

test('what a resumed session copies is counted once, and carried on', async () => {
  const lines = claudeCode()
  lines.prompt('Find it.')
  lines.answer('m1', 10_000, [lines.call('t1', 'mcp__github__search')])
  lines.result('t1', textOf(1_000))
  lines.answer('m2', 11_050, [text])
  const before = lines.text()
  const after = claudeCode('next')
  after.prompt('More.', { parentUuid: 'session-3' })
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
  const late = await meterOf({ [place]: lines.text() }, { since: 1.8e12 })
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

test('what an aggregator recorded of a call counts in a session that continues, too', async () => {
  const lines = claudeCode()
  lines.prompt('Find it.')
  lines.answer('m1', 10_000, [lines.call('t1', 'mcp__pith__call', { server: 'a', tool: 'b' })])
  lines.result('t1', textOf(100))
  const after = claudeCode('next')
  after.prompt('More.', { parentUuid: 'session-2' })
  after.answer('m2', 10_150, [text])
  const copied = lines.text().replaceAll('"sessionId":"session"', '"sessionId":"next"')
  let records = 0
  const { sessions } = await meterOf(
    { [place]: lines.text(), '.claude/projects/a/next.jsonl': copied + after.text() },
    { findRecord: () => (records++ === 0 ? { saved: 700, isOwn: false } : undefined) },
  )
  expect(sessions.map(({ id, saved }) => [id, saved])).toEqual([
    ['session', 0],
    ['next', 700],
  ])
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
        expect(part).toBeGreaterThan(-1e-6)
    }),
    { numRuns: 60 },
  )
})
