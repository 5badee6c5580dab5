import { expect, test } from 'vitest'
import { configOf, createClient, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const asking = { capabilities: { elicitation: {} } }

/** The eras of the connections that calls of these clients used, in order. */
async function erasOf(
  clients: readonly ReturnType<typeof createClient>[],
  { era = 'both' }: Pick<FakeServer, 'era'> = {},
): Promise<{ used: string[]; started: number }> {
  const fake = { era, tools: [{ name: 'x', run: () => text('x') }] }
  const server = configOf('a')
  const { aggregator, world } = openAggregator({ a: fake }, { servers: [server] })
  const used: string[] = []
  for (const { session, context } of clients) {
    const { gateway } = aggregator
    gateway.clients.join(session)
    const instance = gateway.instanceOf(server, session, context().capabilities)
    used.push(await instance.use(async (connection) => connection.era))
  }
  const started = world.connections.length
  await aggregator.close()
  return { used, started }
}

test('a server of both eras speaks that of a client of 2025 that it may ask', async () => {
  const modern = createClient({ era: 'modern', ...asking })
  const plain = createClient({ era: 'legacy' })
  const asked = createClient({ era: 'legacy', ...asking })
  expect(await erasOf([modern, plain, asked, modern])).toEqual({
    used: ['modern', 'modern', 'legacy', 'modern'],
    started: 2,
  })
})

test('a server of 2026 alone serves all from one process', async () => {
  const asked = createClient({ era: 'legacy', ...asking })
  const other = createClient({ era: 'legacy', capabilities: { sampling: {} } })
  const modern = createClient({ era: 'modern' })
  expect(await erasOf([asked, modern, other], { era: 'modern' })).toEqual({
    used: ['modern', 'modern', 'modern'],
    started: 1,
  })
})
