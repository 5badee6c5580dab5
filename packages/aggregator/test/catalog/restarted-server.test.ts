import { expect, test } from 'vitest'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const toolsNamed = (...names: string[]): NonNullable<FakeServer['tools']> =>
  names.map((name) => ({ name, run: () => text(`ran ${name}`) }))

test.each([
  ['ends', 'the process exited with code 1'],
  ['is stopped as nobody uses it', 'it was stopped'],
])(
  'a server that %s, and offers other tools then, is asked before a call is refused',
  async (_, reason) => {
    const server: FakeServer = { tools: toolsNamed('alpha', 'beta') }
    const { use, world } = openAggregator({ s: server }, { servers: [configOf('s')] })
    const call = (tool_name: string) => use('call', { module: 's', tool_name, params: {} })
    expect(await call('beta')).toBe('ran beta')
    server.tools = toolsNamed('alpha', 'fresh')
    world.connections[0]?.crash(reason)
    expect(await call('fresh')).toBe('ran fresh')
    expect(await call('beta')).toContain('has no tool "beta"')
    expect(world.starts).toEqual({ s: 2 })
  },
)
