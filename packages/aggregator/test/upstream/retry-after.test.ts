import { expect, test } from 'vitest'
import { HttpRefusal } from '../../../servers/src/connection/connection.ts'
import { configOf, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const refusalFor = (retryMs: number | undefined) =>
  new HttpRefusal(Object.assign(new Error('it answered with HTTP 429'), { retryMs }), 429)

test.each([
  [60_000, 1],
  [undefined, 2],
  [0, 2],
])('a server that asks for %s ms of time is not asked before', async (retryMs, expected) => {
  let asked = 0
  const run = () => {
    asked++
    if (asked === 1) throw refusalFor(retryMs)
    return text('done')
  }
  const server = { tools: [{ name: 'get', run }] }
  const { use } = openAggregator({ s: server, other: server }, { servers: [configOf('s')] })
  const get = () => use('call', { module: 's', tool_name: 'get', params: {} })
  expect(await get()).toContain('HTTP 429')
  const again = await get()
  expect(asked).toBe(expected)
  if (expected === 1)
    expect(again).toMatch(
      /asked not to be called for now \(Retry-After\)\. Nothing was sent\. Call again in 60 s\./,
    )
  else expect(again).toBe('done')
})
