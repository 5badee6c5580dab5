import { expect, test } from 'vitest'
import { configOf, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const open = () =>
  openAggregator(
    {
      a: {
        tools: ['write', 'read'].map((name) => ({
          name,
          definition: { name, inputSchema: { type: 'object' } },
          run: () => text('done'),
        })),
      },
    },
    { servers: [configOf('a')], permissions: { deny: [{ tools: ['a.read'] }] } },
  )

test('the last calls are judged by rules that are not in force', async () => {
  const { aggregator, use } = open()
  const call = (tool_name: string, params: object, caller?: string) =>
    use('call', { module: 'a', tool_name, params: { ...params } }, caller ? { caller } : undefined)
  await call('write', { path: '/srv/a' })
  await call('write', { path: '/etc/a' }, 'token:ci#1')
  await call('read', { path: '/srv/a' })
  await call('write', { text: 'x'.repeat(30_000) })
  await use('search_tools', { query: 'write' })
  const below = { tools: ['a.write'], params: { path: { below: '/srv' } } }
  const judged = await aggregator.judgeRecent({ ask: [below] })
  expect(judged).toMatchObject([
    // Refused by a rule that is in force; too long to keep is the fourth.
    { server: 'a', tool: 'read', isMet: false },
    { server: 'a', tool: 'write', caller: 'token:ci#1', isMet: false },
    { server: 'a', tool: 'write', isMet: true },
  ])
  for (let times = 0; times < 120; times++) await call('write', { path: '/srv/b' })
  expect(await aggregator.judgeRecent({ ask: [below] })).toHaveLength(100)
  await expect(aggregator.judgeRecent({ ask: [{ tool: ['a'] }] })).rejects.toThrow(/ask\.0/)
})
