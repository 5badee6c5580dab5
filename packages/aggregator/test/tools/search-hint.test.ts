import { expect, test } from 'vitest'
import type { JsonObject } from '../../../servers/src/protocol/message.ts'
import { configOf, type FakeServer } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const key = 'anthropic/searchHint'
const desk: FakeServer = {
  tools: [
    { name: 'open', definition: { _meta: { other: 1 } } },
    { name: 'shut', definition: { _meta: { [key]: 'its own' } } },
  ],
}
const rules = { tools: { open: { tags: ['incident'] } } }

async function hintsOf(settings: Parameters<typeof configOf>[1], mode: 'full' | 'list') {
  const servers = [configOf('desk', settings)]
  const { aggregator } = openAggregator({ desk }, { servers, mode })
  const { tools } = (await aggregator.request({ method: 'tools/list' })) as { tools: JsonObject[] }
  return Object.fromEntries(tools.map(({ name, _meta }) => [name, _meta]))
}

test('in full, tools have the words of the configuration as a hint for searches', async () => {
  const settings = { description: 'Help desk', tags: ['support'], rules }
  expect(await hintsOf(settings, 'full')).toEqual({
    desk__open: { other: 1, [key]: 'Help desk, support, incident' },
    desk__shut: { [key]: 'its own' },
  })
})

test('without such words nothing is added', async () => {
  expect(await hintsOf({}, 'full')).toMatchObject({ desk__open: { other: 1 } })
  expect((await hintsOf({}, 'full'))['desk__open']).toEqual({ other: 1 })
})
