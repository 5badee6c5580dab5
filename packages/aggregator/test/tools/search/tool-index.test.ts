import { expect, test, vi } from 'vitest'
import type { CatalogTool } from '../../../src/catalog/catalog-tools.ts'
import type { ToolView } from '../../../src/catalog/tool-view.ts'
import { ToolIndex } from '../../../src/tools/search/tool-index.ts'
import { createToolSearch } from '../../../src/tools/search/tool-search.ts'

const server = { name: 'files' } as CatalogTool['server']
const definitions = Array.from({ length: 600 }, (_, at) => ({
  name: `read_${at}`,
  description: at === 599 ? 'Reads a rare chapter.' : 'Reads a chapter.',
}))

const viewOf = (own: readonly { name: string }[]): ToolView => {
  const tools = own.map((definition) => ({
    server,
    name: definition.name,
    upstreamName: definition.name,
    exposed: definition.name,
    definition,
    tags: [],
  }))
  const entryOf = () => ({ tools: own })
  return { tools, absent: [], servers: [server], entryOf } as unknown as ToolView
}

test('views share the texts of their tools, and search only their own', async () => {
  const index = new ToolIndex()
  const whole = await index.of(viewOf(definitions))
  const part = await index.of(viewOf(definitions.slice(0, 2)))
  expect([...part.candidates.keys()]).toEqual([...whole.candidates.keys()].slice(0, 2))
  expect([whole.isPart(), part.isPart()]).toEqual([false, true])

  const search = createToolSearch({ review: () => new Map() })
  await search.find({ query: 'rare chapter', limit: 5 }, viewOf(definitions))
  const found = await search.find(
    { query: 'rare chapter', limit: 5 },
    viewOf(definitions.slice(0, 2)),
  )
  expect(found.hits.map(({ tool }) => tool.name)).toEqual(['read_0', 'read_1'])
})

test('a changed definition replaces the one before', async () => {
  const search = createToolSearch({ review: () => new Map() })
  const find = async (own: readonly { name: string }[]) => {
    const { hits } = await search.find({ query: 'lyrics', limit: 5 }, viewOf(own))
    return hits.map(({ tool }) => tool.name)
  }
  const changed = [{ name: 'read_0', description: 'Reads lyrics.' }, ...definitions.slice(1)]
  expect(await find(definitions)).toEqual([])
  expect(await find(changed)).toEqual(['read_0'])
  expect(await find(definitions)).toEqual([])
})

test('a large view is reviewed before the first search', async () => {
  const review = vi.fn(() => new Map())
  const search = createToolSearch({ review })
  await search.prepare(viewOf(definitions.slice(0, 499)))
  expect(review).not.toHaveBeenCalled()
  await search.prepare(viewOf(definitions))
  expect(review).toHaveBeenCalledOnce()
})
