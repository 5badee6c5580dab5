import { expect, test } from 'vitest'
import { configOf, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const tool = {
  name: 'run',
  definition: { name: 'run', inputSchema: { type: 'object' } },
  run: () => text('done'),
}
const open = () => openAggregator({ a: { tools: [tool] } }, { servers: [configOf('a')] })

test('tools with a module take it as server, too', async () => {
  const { use } = open()
  expect(await use('call', { server: 'a', tool_name: 'run', params: {} })).toBe('done')
  expect(await use('get_module_schema', { server: 'a' })).toContain('"run"')
  expect(await use('get_module_schema', { servers: ['a'] })).toContain('"run"')
  const commands = JSON.stringify({ server: 'a', tool_name: 'run', output: true })
  expect(await use('batch', { commands })).toContain('done')
  expect(await use('search_tools', { query: 'run', server: 'a' })).toContain('a.run')
})

test('but not both', async () => {
  const { use } = open()
  const both = { module: 'a', server: 'a', tool_name: 'run' }
  expect(await use('call', both)).toContain('has no argument "server"')
  expect(await use('batch', { commands: JSON.stringify(both) })).toContain('not both')
})
