import { estimateTokens } from '@pith-mcp/paginator'
import { expect, onTestFinished, test } from 'vitest'
import { configOf, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const notes: FakeServer = {
  tools: [
    {
      name: 'list',
      definition: { annotations: { readOnlyHint: true } },
      run: ({ tag }) => text(`of ${tag}`),
    },
    { name: 'wipe', run: () => text('was wiped') },
  ],
}

function open(more: object = {}) {
  const servers = [configOf('notes')]
  const opened = openAggregator({ notes }, { servers, readOnlyCall: true, ...more })
  onTestFinished(opened.aggregator.close)
  return opened
}

test('it is listed on request, as a tool that only reads, for at most 40 tokens', async () => {
  const listed = async (readOnlyCall: boolean) => {
    const { tools } = await open({ readOnlyCall }).aggregator.request({ method: 'tools/list' })
    return (tools as { name: string }[]).find(({ name }) => name === 'call_read_only')
  }
  expect(await listed(false)).toBeUndefined()
  const definition = await listed(true)
  expect(definition).toMatchObject({ annotations: { readOnlyHint: true } })
  expect(estimateTokens(JSON.stringify(definition))).toBeLessThanOrEqual(40)
})

test('it calls what only reads, by the arguments of call, and nothing else', async () => {
  const { use, world } = open()
  const call = (tool_name: string) =>
    use('call_read_only', { module: 'notes', tool_name, params: { tag: 'a' } })
  expect(await call('list')).toBe('of a')
  expect(await call('wipe')).toBe(
    'notes.wipe does not say that it only reads. Nothing was called. Use call.',
  )
  const calls = world.requests.filter(({ message }) => message.method === 'tools/call')
  expect(calls).toHaveLength(1)
})

test('a tool that stops to be read-only while its server is restarted is not called', async () => {
  const tools = [...(notes.tools ?? [])]
  const fake = { ...notes, tools }
  const opened = openAggregator({ notes: fake }, {
    servers: [configOf('notes', { isPinned: false })],
    readOnlyCall: true,
    trust: { pin: false, scan: false },
  } as never)
  onTestFinished(opened.aggregator.close)
  const call = () => opened.use('call_read_only', { module: 'notes', tool_name: 'list' })
  expect(await call()).toContain('of')
  fake.tools[0] = { name: 'list', run: () => text('was wiped') }
  opened.world.connections[0]?.crash()
  expect(await call()).toContain('does not say that it only reads')
})
