import { describe, expect, test } from 'vitest'
import type { LimitSettings } from '../../../../servers/src/config/limit-settings.ts'
import type { ServerConfig } from '../../../../servers/src/config/server-config.ts'
import { answerRequest } from '../../../src/server/methods/answer-request.ts'
import { configOf, createClient, type FakeServer, text, textOf } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const slow: FakeServer = {
  tools: [
    {
      name: 'work',
      async run() {
        running++
        most = Math.max(most, running)
        await new Promise((resolve) => setTimeout(resolve, 10))
        running--
        return text('done')
      },
    },
    { name: 'other', run: () => text('done') },
  ],
}
let running = 0
let most = 0

const open = (limits: LimitSettings, settings: Partial<ServerConfig> = {}) => {
  running = 0
  most = 0
  return openAggregator(
    { a: slow, b: slow },
    { servers: [configOf('a', settings), configOf('b')], limits },
  )
}
const work = { module: 'a', tool_name: 'work', params: {} }
const rate = { calls: 3, seconds: 60 }

describe('a rate', () => {
  test.each([
    ['of a caller holds for all tools', { caller: rate }, { ...work, module: 'b' }, true],
    [
      'of a server holds for all its tools',
      { server: rate },
      { ...work, tool_name: 'other' },
      true,
    ],
    ['of a server does not hold for others', { server: rate }, { ...work, module: 'b' }, false],
    ['of a tool does not hold for others', { tool: rate }, { ...work, tool_name: 'other' }, false],
  ])('%s', async (_what, limits, next, isRefused) => {
    const { use } = open(limits)
    for (let call = 0; call < 3; call++) expect(await use('call', work)).toBe('done')
    expect(await use('call', work)).toMatch(/3 times in 60 s.*Call again in \d+ s/)
    expect((await use('call', next)).includes('3 times in 60 s')).toBe(isRefused)
  })

  test('of a server is the one in its own entry', async () => {
    const { use } = open({ server: { calls: 100, seconds: 60 } }, { limits: { rate } })
    for (let call = 0; call < 3; call++) await use('call', work)
    expect(await use('call', work)).toContain('Tools of a can be called 3 times')
  })

  test('of one caller is not that of another', async () => {
    const { use } = open({ caller: rate, callers: { ci: { rate: { calls: 1, seconds: 60 } } } })
    expect(await use('call', work, { caller: 'ci' })).toBe('done')
    expect(await use('call', work, { caller: 'ci' })).toContain('1 times in 60 s')
    expect(await use('call', work, { caller: 'me' })).toBe('done')
  })

  test('of a caller refuses a call before it counts for its server or asks one', async () => {
    const once = { rate: { calls: 1, seconds: 60 } }
    const { use, world } = open({ server: { calls: 2, seconds: 60 }, callers: { ci: once } })
    expect(await use('call', work, { caller: 'ci' })).toBe('done')
    const before = world.requests.length
    const unknown = { module: 'b', tool_name: 'none', params: {} }
    for (const args of [work, unknown, { ...work, params: 1 }, {}])
      expect(await use('call', args, { caller: 'ci' })).toContain('1 times in 60 s')
    expect(world.requests).toHaveLength(before)
    expect(await use('call', work)).toBe('done')
    expect(await use('call', work)).toContain('Tools of a can be called 2 times')
  })

  test('of a caller also counts a call that is not sent', async () => {
    const { use } = open({ caller: rate })
    for (const args of [{}, { ...work, tool_name: 'none' }, { ...work, params: 1 }])
      expect(await use('call', args)).not.toContain('3 times in 60 s')
    expect(await use('call', work)).toContain('3 times in 60 s')
  })

  test('counts each call of a batch', async () => {
    const { use, world } = open({ caller: rate })
    const commands = Array.from({ length: 5 }, () => JSON.stringify({ ...work, output: true }))
    const said = await use('batch', { commands: commands.join('\n') })
    expect(said).toContain('3 times in 60 s')
    // The batch itself is one.
    expect(world.requests.filter(({ message }) => message.method === 'tools/call')).toHaveLength(2)
  })

  test('ends', async () => {
    const { use } = open({ caller: { calls: 1, seconds: 1 } })
    await use('call', work)
    expect(await use('call', work)).toContain('Call again in 1 s')
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    expect(await use('call', work)).toBe('done')
  })

  test('refuses or holds ten thousand requests in a second, each in the journal', async () => {
    const { use, lines, world } = open(
      { caller: { calls: 50, seconds: 60 } },
      { limits: { maxConcurrency: 4 } },
    )
    const said = await Promise.all(Array.from({ length: 10_000 }, () => use('call', work)))
    expect(said.filter((one) => one === 'done')).toHaveLength(50)
    expect(said.filter((one) => one.includes('50 times in 60 s'))).toHaveLength(9_950)
    expect(most).toBeLessThanOrEqual(4)
    expect(lines).toHaveLength(10_000)
    expect(lines.filter(({ outcome }) => outcome === 'rate_limited')).toHaveLength(9_950)
    expect(world.requests.filter(({ message }) => message.method === 'tools/call')).toHaveLength(50)
  })
})

describe('calls at once', () => {
  test('are as many as their server takes; the others wait', async () => {
    const { use } = open({}, { limits: { maxConcurrency: 3 } })
    const said = await Promise.all(Array.from({ length: 30 }, () => use('call', work)))
    expect(said.every((one) => one === 'done')).toBe(true)
    expect(most).toBe(3)
  })

  test('that wait can be given up', async () => {
    const { aggregator } = open({}, { limits: { maxConcurrency: 1 } })
    const controllers = Array.from({ length: 3 }, () => new AbortController())
    const calls = controllers.map(({ signal }) =>
      aggregator.request(
        { method: 'tools/call', params: { name: 'call', arguments: work } },
        { signal },
      ),
    )
    controllers[1]?.abort(new Error('given up'))
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})

test('a session that has spent its tokens is told so, and another is not', async () => {
  const { aggregator, lines } = open({ sessionTokens: 20 })
  const ask = (client: ReturnType<typeof createClient>) =>
    answerRequest(
      { method: 'tools/call', params: { name: 'search_tools', arguments: { query: 'work' } } },
      client.context(),
      aggregator.deps,
    )
  const client = createClient()
  expect(textOf(await ask(client))).toContain('a.work')
  const second = await ask(client)
  expect(second['isError']).toBe(true)
  expect(textOf(second)).toMatch(/about \d+ tokens of a budget of 20\b.*sessionTokens/)
  expect(textOf(await ask(createClient()))).toContain('a.work')
  expect(lines.map(({ outcome }) => outcome)).toEqual(['ok', 'budget_spent', 'ok'])
})
