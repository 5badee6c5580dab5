import { expect, test } from 'vitest'
import type { SignIns } from '../../../../oauth/src/sign-ins.ts'
import { configOf, createClient, createWorld } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

/** Sign-ins of which only the news is heard. */
function newsOf() {
  let tell = (_unit: string): void => {}
  const signIns = {
    onSecrets: () => () => {},
    onSignedIn(listener: typeof tell) {
      tell = listener
      return () => {}
    },
    tokensFor: () => undefined,
    close() {},
  }
  return { signIns: signIns as never as SignIns, signedIn: (unit: string) => tell(unit) }
}

test('after a sign-in its account is asked once, for those who may see it', async () => {
  const world = createWorld({ notes: { tools: [{ name: 'x' }] }, other: {} })
  const accounts = ['work', 'home'].map((account) => configOf('notes', { account }))
  const { signIns, signedIn } = newsOf()
  const { aggregator } = openAggregator(
    {},
    {
      servers: [configOf('notes', { accounts }), configOf('other')],
      profiles: { without: { servers: ['other'] } },
      connect: world.connect,
      signIns,
    },
  )
  const { session } = createClient()
  aggregator.gateway.clients.join({ ...session, access: { profile: 'without' } })
  signedIn('notes@work')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(world.starts).toEqual({})
  aggregator.gateway.clients.join(session)
  signedIn('notes@work')
  await expect.poll(() => aggregator.gateway.catalog.entryOf('notes@work')?.tools).toHaveLength(1)
  expect(world.starts).toEqual({ notes: 1 })
})
