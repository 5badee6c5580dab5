import { expect, test } from 'vitest'
import type { ServerConfig } from '../../src/config/server-config.ts'
import { configOf, createClient, type FakeServer, text } from '../fake-servers.ts'
import { openAggregator } from '../open-aggregator.ts'

const asking = { capabilities: { elicitation: {} } }

/** The eras of the connections that calls of these clients used, in order. */
async function erasOf(
  clients: readonly ReturnType<typeof createClient>[],
  {
    era = 'both',
    ...config
  }: Partial<Omit<ServerConfig, 'era'>> & { era?: FakeServer['era'] } = {},
  forced?: ServerConfig['era'],
): Promise<{ used: string[]; started: number }> {
  const fake = { era, tools: [{ name: 'x', run: () => text('x') }] }
  const server = { ...configOf('a'), ...config, ...(forced && { era: forced }) }
  const { aggregator, world } = openAggregator({ a: fake }, { servers: [server as ServerConfig] })
  const used: string[] = []
  for (const { session, context } of clients) {
    const { gateway } = aggregator
    gateway.clients.join(session)
    const instance = gateway.instanceOf(server as ServerConfig, session, context().capabilities)
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

test.each(['legacy', 'modern'] as const)('the key era forces %s', async (era) => {
  const asked = createClient({ era: 'legacy', ...asking })
  const modern = createClient({ era: 'modern' })
  expect((await erasOf([asked, modern], {}, era)).used).toEqual([era, era])
})
