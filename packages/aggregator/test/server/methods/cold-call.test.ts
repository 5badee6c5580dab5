import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { JsonObject } from '../../../../servers/src/protocol/message.ts'
import { type Mode, modes } from '../../../../servers/src/protocol/request-context.ts'
import { createMemoryCatalogStore } from '../../../src/catalog/entries/catalog-store.ts'
import type { Aggregator } from '../../../src/server/aggregator-options.ts'
import { answerRequest } from '../../../src/server/methods/answer-request.ts'
import { configOf, createClient, type FakeServer, text, textOf } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const open: Aggregator[] = []
afterEach(() => Promise.all(open.splice(0).map((aggregator) => aggregator.close())))

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const tool = (name: string): FakeServer => ({ tools: [{ name, run: () => text(`${name} ran`) }] })

function openSlow(
  mode: Mode,
  options: { prefix?: boolean; firstListMs?: number } = {},
  slow: Partial<FakeServer> = {},
) {
  const servers = {
    quick: tool('ping'),
    slow: { ...tool('read'), onStart: () => wait(400), ...slow },
    never: { ...tool('x'), onStart: () => new Promise<void>(() => {}) },
  }
  const configs = Object.keys(servers).map((name) => configOf(name))
  const opened = openAggregator(servers, { servers: configs, mode, ...options })
  open.push(opened.aggregator)
  const call = async (name: string, args = {}) =>
    textOf(
      await opened.aggregator.request({ method: 'tools/call', params: { name, arguments: args } }),
    )
  return { ...opened, call }
}

describe('the first list', () => {
  const listed = async ({ aggregator }: Pick<ReturnType<typeof openSlow>, 'aggregator'>) => {
    const client = createClient()
    const result = await answerRequest({ method: 'tools/list' }, client.context(), aggregator.deps)
    const names = (result['tools'] as { name: string }[]).map(({ name }) => name)
    return { names, missing: result['_meta'], said: client.told }
  }
  /** Starts when it is let go. */
  function held() {
    let go = (): void => {}
    const started = new Promise<void>((resolve) => {
      go = resolve
    })
    return { onStart: () => started, go: () => go() }
  }

  test.each(['list', 'full'] as const)('has all servers that answer in time: %s', async (mode) => {
    const slow = held()
    const servers = { quick: tool('ping'), slow: { ...tool('read'), ...slow } }
    const configs = Object.keys(servers).map((name) => configOf(name))
    const opened = openAggregator(servers, { servers: configs, mode, firstListSeconds: 60 })
    open.push(opened.aggregator)
    const first = listed(opened)
    await expect.poll(() => opened.world.starts).toEqual({ quick: 1, slow: 1 })
    await wait(100)
    slow.go()
    const { names, missing } = await first
    expect(names).toEqual(expect.arrayContaining(['quick__ping', 'slow__read']))
    expect(missing).toBeUndefined()
  })

  test('of modules has all servers that answer in time', async () => {
    const slow = held()
    const servers = { quick: tool('ping'), slow: { ...tool('read'), ...slow } }
    const configs = Object.keys(servers).map((name) => configOf(name))
    const opened = openAggregator(servers, { servers: configs, firstListSeconds: 60 })
    open.push(opened.aggregator)
    const overview = opened.use('get_module_schema', {})
    await wait(150)
    slow.go()
    expect(await overview).toBe('quick: 1 tool\nslow: 1 tool')
  })

  test('names in one line who is missing, in the result, to the client and in the log', async () => {
    const servers = {
      quick: tool('ping'),
      a: { ...tool('x'), ...held() },
      b: { ...tool('x'), ...held() },
    }
    const configs = [...Object.keys(servers), 'gone'].map((name) => configOf(name))
    const opened = openAggregator(servers, {
      servers: configs,
      mode: 'full',
      firstListSeconds: 0.2,
    })
    open.push(opened.aggregator)
    const { names, missing, said } = await listed(opened)
    expect(names).toEqual(['quick__ping'])
    const line =
      'a, b, each of which is still starting; try again. Nor gone, which is down: the command nowhere was not found.'
    expect(missing).toEqual({ 'io.github.pith-mcp/notListed': line })
    expect(opened.logs).toContain(`Not listed: ${line}`)
    const data = `Not listed: ${line}`
    expect(said).toContainEqual({
      method: 'notifications/message',
      params: { level: 'warning', logger: 'aggregator', data },
    })
  })
})

describe('the first list of 20 slow servers', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => vi.useRealTimers())

  /** Server n answers after n times `everyMs`. */
  function openMany(everyMs: number) {
    const names = Array.from({ length: 20 }, (_, at) => `s${at + 1}`)
    const fakes = names.map((name, at) => {
      const started = wait((at + 1) * everyMs)
      return [name, { ...tool('x'), onStart: () => started }] as const
    })
    const servers = names.map((name) => configOf(name, { startTimeoutMs: 90_000 }))
    const catalogStore = createMemoryCatalogStore()
    const options = { servers, mode: 'full' as const, catalogStore }
    const opened = openAggregator(Object.fromEntries(fakes), options)
    open.push(opened.aggregator)
    const list = async () => {
      const { context } = createClient()
      const begun = performance.now()
      const reply = answerRequest({ method: 'tools/list' }, context(), opened.aggregator.deps)
      let result: JsonObject | undefined
      void reply.then((it) => (result = it))
      while (result === undefined) await vi.advanceTimersByTimeAsync(20)
      const { tools, _meta } = result as { tools: JsonObject[]; _meta?: JsonObject }
      const missing = String(_meta?.['io.github.pith-mcp/notListed'] ?? '')
      return { count: tools.length, missing, ms: performance.now() - begun }
    }
    return { ...opened, options, list }
  }

  test('is whole as long as one of them answers in each pause', async () => {
    const { list, aggregator, options } = openMany(450)
    expect(await list()).toMatchObject({ count: 20, missing: '' })
    await aggregator.close()
    const stuck = { onStart: () => new Promise<void>(() => {}) }
    const fakes = Object.fromEntries(options.servers.map(({ name }) => [name, stuck]))
    const again = openAggregator(fakes, options)
    open.push(again.aggregator)
    const { context } = createClient()
    const kept = await answerRequest({ method: 'tools/list' }, context(), again.aggregator.deps)
    expect(kept['tools']).toHaveLength(20)
  })

  test('ends after 10 seconds, names who is missing, and does not wait for them again', async () => {
    const { list, logs } = openMany(1_000)
    const { count, missing, ms } = await list()
    expect(count).toBeGreaterThanOrEqual(9)
    expect(count).toBeLessThan(12)
    expect(ms).toBeLessThan(10_500)
    const names = missing.match(/\bs\d+/g) ?? []
    expect(names).toHaveLength(20 - count)
    expect(logs).toContain(`Not listed: ${missing}`)
    expect((await list()).ms).toBeLessThan(200)
  })

  test('waits once for a server that hangs, also at its further starts', async () => {
    const never = { ...tool('x'), onStart: () => new Promise<void>(() => {}) }
    const servers = [configOf('hung', { startTimeoutMs: 6_000 })]
    const opened = openAggregator({ hung: never }, { servers, mode: 'full' })
    open.push(opened.aggregator)
    const waits: boolean[] = []
    for (let at = 0; at < 8; at++) {
      const { context } = createClient()
      let isListed = false
      const reply = answerRequest({ method: 'tools/list' }, context(), opened.aggregator.deps)
      void reply.then(() => (isListed = true))
      await vi.advanceTimersByTimeAsync(1_000)
      waits.push(!isListed)
      await vi.advanceTimersByTimeAsync(7_000)
    }
    expect(opened.world.starts['hung']).toBeGreaterThan(1)
    expect(waits).toEqual([true, ...Array(7).fill(false)])
  })

  test('ends when none has answered for five seconds', async () => {
    const { list } = openMany(6_000)
    const { count, ms } = await list()
    expect(count).toBe(0)
    expect(ms).toBeLessThan(5_500)
  })
})

describe('the first call of all, of a server that is still starting', () => {
  test.each(modes)('waits for it in %s', async (mode) => {
    const { call } = openSlow(mode)
    const name = mode === 'meta' ? 'call' : 'slow__read'
    const args = mode === 'meta' ? { module: 'slow', tool_name: 'read' } : {}
    expect(await call(name, args)).toBe('read ran')
  })

  test.each(['list', 'full'] as const)('waits in %s where names have no server', async (mode) => {
    const { call } = openSlow(mode, { prefix: false })
    expect(await call('read')).toBe('read ran')
  })

  test('in meta it is told how it is called, by its own name', async () => {
    await expect(openSlow('meta').call('slow__read')).rejects.toThrow(
      'Call it as call({"module":"slow","tool_name":"read"})',
    )
  })

  test.each(['list', 'full'] as const)('in %s says why the server cannot start', async (mode) => {
    const onStart = async () => {
      await wait(50)
      throw new Error('no such file')
    }
    expect(await openSlow(mode, {}, { onStart }).call('slow__read')).toMatch(
      /The server slow is down: no such file/,
    )
  })

  test('is the only one that waits for a server that hangs', async () => {
    const hung = { ...tool('x'), onStart: () => new Promise<void>(() => {}) }
    const configs = [configOf('hung', { startTimeoutMs: 3_000 })]
    const { use, aggregator, world } = openAggregator({ hung }, { servers: configs })
    open.push(aggregator)
    for (let call = 0; call < 3; call++)
      expect(await use('call', { module: 'hung', tool_name: 'x' })).toMatch(/tried again in \d s/)
    expect(world.starts).toEqual({ hung: 1 })
  })

  test.each(modes)('costs one start in %s if the server hangs', async (mode) => {
    const servers = { hung: { ...tool('x'), onStart: () => new Promise<void>(() => {}) } }
    const configs = [configOf('hung', { startTimeoutMs: 50 })]
    const { aggregator, world } = openAggregator(servers, { servers: configs, mode })
    open.push(aggregator)
    const args = { module: 'hung', tool_name: 'x' }
    const params =
      mode === 'meta' ? { name: 'call', arguments: args } : { name: 'hung__x', arguments: {} }
    const said = textOf(await aggregator.request({ method: 'tools/call', params }))
    expect(said).toContain('The server hung is down: it did not answer within 0.05 s')
    expect(world.starts).toEqual({ hung: 1 })
  })

  test('a name that no server can have waits for none', async () => {
    const { call } = openSlow(
      'full',
      { firstListMs: 600_000 },
      { onStart: () => new Promise(() => {}) },
    )
    await expect(call('nobody__read')).rejects.toThrow('Unknown tool')
  })

  test('a tool that is new since an earlier process is asked for', async () => {
    const { aggregator, call } = openSlow('full')
    const session = { session: {}, capabilities: {} }
    await call('slow__read')
    expect(aggregator.gateway.viewFor(session as never).tools.length).toBeGreaterThan(0)
    await expect(call('slow__write')).rejects.toThrow('Unknown tool')
  })
})

describe('a tool named with its server', () => {
  const forms = ['quick__ping', 'quick.ping', 'quick/ping']

  test.each(modes.flatMap((mode) => forms.map((form) => [mode, form] as const)))(
    'is called in %s as %s',
    async (mode, form) => {
      const { call } = openSlow(mode)
      if (mode === 'meta') {
        expect(await call('call', { tool_name: form })).toBe('ping ran')
        expect(await call('call', { module: 'quick', tool_name: form })).toBe('ping ran')
      } else expect(await call(form)).toBe('ping ran')
    },
  )

  test.each(modes)('is the nearest of a mistyped one in %s', async (mode) => {
    const { call } = openSlow(mode)
    await call('get_module_schema', { module: 'quick' }).catch(() => call('quick__ping'))
    await expect(call('quick.pong')).rejects.toThrow(/Nearest: quick__ping\.$/)
  })

  test.each(['meta', 'list'] as const)('has its schema given in %s', async (mode) => {
    const { call } = openSlow(mode)
    for (const form of ['ping', ...forms]) {
      const schema = await call('get_module_schema', { module: 'quick', tools: [form] })
      expect(JSON.parse(schema)).toMatchObject({ module: 'quick', tools: [{ name: 'ping' }] })
      const alone = await call('get_module_schema', { tools: [form] })
      expect(JSON.parse(alone)).toMatchObject({ module: 'quick', tools: [{ name: 'ping' }] })
    }
    expect(await call('get_module_schema', { tools: ['nothing'] })).toMatch(/^tools is not valid: /)
  })
})
