import { expect, test } from 'vitest'
import { createMemoryTokenStore, type TokenStore } from '../../../../oauth/src/token-store.ts'
import { aggregatorOf, httpServer, signInsIn } from './aggregated.ts'
import { open } from './open-world.ts'

test('a renewed token that cannot be kept is used as long as the process runs, and kept later', async () => {
  const world = await open()
  const memory = createMemoryTokenStore()
  let isFull = false
  const store: TokenStore = {
    ...memory,
    change: (key, edit) =>
      memory.change(key, async (kept) => {
        const next = await edit(kept)
        if (isFull && next !== kept) throw new Error('no space left')
        return next
      }),
  }
  const { signIns, tabs } = signInsIn(world, { store })
  const notes = httpServer('notes', world.servers.notes.url)
  await signIns.signIn(notes)
  const { whoami } = aggregatorOf([notes], { signIns })
  expect(await whoami('notes')).toBe('alice')
  isFull = true
  for (let time = 0; time < 2; time++) {
    world.authorization.expireAccessTokens()
    expect(await whoami('notes')).toBe('alice')
  }
  isFull = false
  world.authorization.expireAccessTokens()
  expect(await whoami('notes')).toBe('alice')
  const { whoami: other } = aggregatorOf([notes], { signIns: signInsIn(world, { store }).signIns })
  expect(await other('notes')).toBe('alice')
  expect(tabs).toHaveLength(1)
})
