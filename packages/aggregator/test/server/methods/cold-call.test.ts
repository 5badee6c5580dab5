import { afterEach, describe, expect, test } from 'vitest'
import type { Aggregator } from '../../../src/server/aggregator-options.ts'
import { type Mode, modes } from '../../../src/tools/list-modes/list-modes.ts'
import { configOf, type FakeServer, text, textOf } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const open: Aggregator[] = []
afterEach(() => Promise.all(open.splice(0).map((aggregator) => aggregator.close())))

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const tool = (name: string): FakeServer => ({ tools: [{ name, run: () => text(`${name} ran`) }] })

function openSlow(mode: Mode, options: { prefix?: boolean } = {}, slow: Partial<FakeServer> = {}) {
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

  test.each(['list', 'full', 'auto'] as const)(
    'is told in %s why it cannot start',
    async (mode) => {
      const onStart = async () => {
        await wait(50)
        throw new Error('no such file')
      }
      expect(await openSlow(mode, {}, { onStart }).call('slow__read')).toMatch(
        /The server slow is down: no such file/,
      )
    },
  )

  test('a name that no server can have waits for none', async () => {
    const started = performance.now()
    const { call } = openSlow('full', {}, { onStart: () => wait(3_000) })
    await expect(call('nobody__read')).rejects.toThrow('Unknown tool')
    expect(performance.now() - started).toBeLessThan(2_000)
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
      if (mode !== 'full' && mode !== 'list') {
        expect(await call('call', { tool_name: form }).catch(() => call(form))).toBe('ping ran')
        if (mode === 'meta') {
          expect(await call('call', { module: 'quick', tool_name: form })).toBe('ping ran')
        }
      } else expect(await call(form)).toBe('ping ran')
    },
  )

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
