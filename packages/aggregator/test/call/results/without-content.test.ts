import { expect, test } from 'vitest'
import { configOf } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

test.each([
  [{}, []],
  [{ content: null }, []],
  [{ structuredContent: { a: 1 } }, [{ type: 'text', text: '{"a":1}' }]],
  [{ content: [{ type: 'text', text: 'x' }] }, [{ type: 'text', text: 'x' }]],
])('clients accept the result of a server that answers %j', async (result, content) => {
  const server = { tools: [{ name: 'get', run: () => result as never }] }
  for (const mode of ['full', 'list', 'meta'] as const) {
    const { aggregator } = openAggregator({ s: server }, { servers: [configOf('s')], mode })
    const params =
      mode === 'meta'
        ? { name: 'call', arguments: { module: 's', tool_name: 'get', params: {} } }
        : { name: 's__get', arguments: {} }
    expect(await aggregator.request({ method: 'tools/call', params })).toMatchObject({ content })
  }
})
