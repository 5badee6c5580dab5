import { describe, expect, test } from 'vitest'
import { configOf } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'
import { metaToolRows, pages } from './meta-tool-rows.ts'

describe('the three meta-tools of the design', () => {
  const { aggregator, use } = openAggregator({ pages }, { servers: [configOf('pages')] })

  test('are listed, with each of their parameters in the table', async () => {
    const { tools } = (await aggregator.request({ method: 'tools/list' }, {})) as {
      tools: { name: string; inputSchema: { properties: object } }[]
    }
    for (const { tool, parameter } of metaToolRows) {
      const listed = tools.find(({ name }) => name === tool)
      const isOwn = tool !== 'run' && !['after', 'output', 'a reference'].includes(parameter)
      if (isOwn) expect(Object.keys(listed?.inputSchema.properties ?? {})).toContain(parameter)
    }
  })

  test.for(metaToolRows)('$tool: $parameter', ({ check }) => check(use))
})
