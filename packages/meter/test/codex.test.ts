import { expect, test } from 'vitest'
import { codex, meterOf, textOf, tokenCount } from './transcript-world.ts'

const place = '.codex/sessions/2026/11/30/rollout-2026-11-30T10-00-00-a.jsonl'
const item = (type: string, more: object): [string, object] => ['response_item', { type, ...more }]
const typed: [string, object] = ['event_msg', { type: 'user_message', message: 'Find it.' }]
const prompt = item('message', {
  role: 'user',
  content: [{ type: 'input_text', text: 'Find it.' }],
})
const said = item('message', {
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Done.' }],
})
const call = (id: string, more: object) =>
  item('function_call', { call_id: id, arguments: '{}', ...more })
const output = (id: string, text: string) =>
  item('function_call_output', { call_id: id, output: text })

test('counts end responses; events about limits repeat them', async () => {
  const { tools, total, parts, sessions, notes } = await meterOf({
    [place]: codex([
      ['session_meta', { id: 'a' }],
      prompt,
      item('reasoning', { encrypted_content: 'x' }),
      call('c1', { name: 'search', namespace: 'mcp__github' }),
      tokenCount(10_000, 10_000),
      tokenCount(10_000, 10_000),
      output('c1', textOf(1_000)),
      call('c2', { name: 'mcp__files__read' }),
      tokenCount(21_050, 11_050),
      output('c2', textOf(100)),
      said,
      tokenCount(32_220, 11_170),
      ['event_msg', { type: 'token_count', info: null }],
      ['turn_context', {}],
    ]),
  })
  expect(sessions).toMatchObject([{ id: 'a', requests: 3, input: 32_220 }])
  expect(parts).toBeCloseTo(total)
  expect(tools.map(({ server, tool, calls }) => [server, tool, calls])).toEqual([
    ['github', 'search', 1],
    ['files', 'read', 1],
  ])
  expect(tools[0]?.carried).toBeCloseTo(2 * (tools[0]?.tokens ?? 0))
  expect(notes).toEqual({})
})

test('older transcripts have no counts of single responses, or no counts', async () => {
  const totals = await meterOf({
    [place]: codex([prompt, said, tokenCount(900), said, tokenCount(2_000)]),
  })
  expect(totals.sessions).toMatchObject([{ requests: 2, input: 2_000 }])
  const none = await meterOf({
    [place]: codex([prompt, call('c1', { name: 'files__read' }), output('c1', textOf(50)), said]),
  })
  expect(none.sessions).toMatchObject([{ requests: 2 }])
  expect(none.tools).toMatchObject([{ server: 'files', tool: 'read', calls: 1 }])
  expect(none.notes).toEqual({
    'request without counts of its provider: its tokens are estimates': 2,
  })
})

test('the end of a call says which server it went to', async () => {
  const { tools } = await meterOf({
    [place]: codex([
      prompt,
      call('c1', { name: 'search' }),
      tokenCount(10_000, 10_000),
      [
        'event_msg',
        {
          type: 'mcp_tool_call_end',
          call_id: 'c1',
          invocation: { server: 'a__b', tool: 'search' },
        },
      ],
      output('c1', textOf(100)),
      said,
      tokenCount(20_150, 10_150),
    ]),
  })
  expect(tools.filter(({ calls }) => calls > 0)).toMatchObject([{ server: 'a__b', tool: 'search' }])
})

test('a rollback without events about prompts goes by what looks like one', async () => {
  const context = item('message', {
    role: 'user',
    content: [{ type: 'input_text', text: '<environment_context/>' }],
  })
  const { tools, notes } = await meterOf({
    [place]: codex([
      context,
      prompt,
      call('c1', { name: 'mcp__a__b' }),
      tokenCount(10_000, 10_000),
      output('c1', textOf(1_000)),
      said,
      tokenCount(21_050, 11_050),
      context,
      prompt,
      said,
      tokenCount(32_150, 11_100),
      ['event_msg', { type: 'thread_rolled_back', num_turns: 2 }],
      prompt,
      said,
      tokenCount(42_200, 10_050),
    ]),
  })
  expect(tools[0]?.carried).toBeCloseTo(2 * (tools[0]?.tokens ?? 0))
  expect(notes).toEqual({ 'prompt that continues from an earlier one': 1 })
})

test('sessions with the same counts are two; searches without ids are as many as there are', async () => {
  const search = item('web_search_call', { action: { query: 'x' } })
  const session = (id: string) =>
    codex([['session_meta', { id }], prompt, search, search, said, tokenCount(8_000, 8_000)])
  const { sessions, tools, notes } = await meterOf({
    [place]: session('a'),
    [place.replace('-a.', '-b.')]: session('b'),
  })
  expect(sessions.map(({ id, requests }) => [id, requests])).toEqual([
    ['a', 1],
    ['b', 1],
  ])
  expect(tools).toMatchObject([{ tool: 'web_search_call', calls: 4 }])
  expect(notes).toEqual({})
})

test('compactions, rollbacks, forks and unknown items', async () => {
  const begin: [string, object][] = [
    ['session_meta', { id: 'a' }],
    item('message', { role: 'user', content: '<environment_context>' }),
    prompt,
    typed,
    said,
    tokenCount(10_000, 10_000),
    prompt,
    typed,
    call('c1', { name: 'mcp__github__search' }),
    tokenCount(20_010, 10_010),
    output('c1', textOf(1_000)),
    said,
    tokenCount(31_070, 11_060),
  ]
  const { tools, notes, total, parts, sessions } = await meterOf({
    [place]: codex(begin),
    [place.replace('-a.', '-b.')]: codex([
      ['session_meta', { id: 'b', forked_from_id: 'a' }],
      ...begin,
      ['event_msg', { type: 'thread_rolled_back', num_turns: 1 }],
      prompt,
      said,
      tokenCount(41_100, 10_030),
      ['compacted', { message: 'So far.' }],
      prompt,
      said,
      tokenCount(46_100, 5_000),
      item('hologram', {}),
      ['hologram', {}],
    ]),
    '.codex/sessions/rollout-c.jsonl.zst': 'x',
  })
  expect(total).toBe(46_100)
  expect(parts).toBeCloseTo(total)
  expect(sessions.map(({ id, requests }) => [id, requests])).toEqual([
    ['a', 3],
    ['b', 2],
  ])
  expect(tools[0]?.carried).toBe(tools[0]?.tokens)
  expect(notes).toEqual({
    'prompt that continues from an earlier one': 1,
    'compaction, after which results are no longer carried': 1,
    'codex: item "hologram", not known': 1,
    'codex: record "hologram", not known': 1,
    'transcript as .zst, not read': 1,
  })
})
