import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFileTokenStore } from '../../../../oauth/src/file-token-store.ts'
import type { TokenStore } from '../../../../oauth/src/token-store.ts'
import { aggregatorOf, httpServer, signInsIn, temporaryFolder, type World } from './aggregated.ts'
import { open } from './open-world.ts'

const getKey = async () => Buffer.alloc(32, 7)

/** What two processes share is the folder. */
const storeIn = (folder: string): TokenStore => createFileTokenStore({ folder, getKey })

async function signedIn(world: World) {
  const folder = temporaryFolder()
  const notes = httpServer('notes', world.servers.notes.url)
  await signInsIn(world, { store: storeIn(folder) }).signIns.signIn(notes)
  const process = () => {
    const { signIns } = signInsIn(world, { store: storeIn(folder) })
    return aggregatorOf([notes], { signIns })
  }
  return { folder, notes, process }
}

test('processes that find a token ended at the same time renew it once', async () => {
  const world = await open({ authorization: { tokenDelayMs: 100 } })
  const { folder, process } = await signedIn(world)
  const processes = [process(), process(), process()]
  const ask = () =>
    Promise.all(processes.flatMap(({ whoami }) => [whoami('notes'), whoami('notes')]))
  expect(new Set(await ask())).toEqual(new Set(['alice']))
  for (let round = 1; round <= 3; round++) {
    world.authorization.expireAccessTokens()
    expect(new Set(await ask())).toEqual(new Set(['alice']))
    expect(world.refreshes()).toBe(round)
  }
  expect(world.count('authorize')).toBe(1)
  const files = readdirSync(folder)
  expect(files).toHaveLength(1)
  const kept = readFileSync(join(folder, String(files[0])), 'latin1')
  for (const { accessToken } of world.authorization.issued) expect(kept).not.toContain(accessToken)
})

test('what one has won is not lost by another whose token was refused', async () => {
  const world = await open()
  const { notes, folder, process } = await signedIn(world)
  const { whoami } = process()
  expect(await whoami('notes')).toBe('alice')
  // Signed in anew elsewhere, while the old sign-in is over.
  world.authorization.revokeUser('alice')
  await signInsIn(world, { store: storeIn(folder) }).signIns.signIn(notes)
  expect(await whoami('notes')).toBe('alice')
  expect(world.refreshes()).toBe(0)
})

test('a sign-in that was ended by a command has ended everywhere', async () => {
  const world = await open()
  const { notes, folder, process } = await signedIn(world)
  const { whoami } = process()
  expect(await whoami('notes')).toBe('alice')
  world.authorization.faults.set('revoke', 'missing')
  await signInsIn(world, { store: storeIn(folder) }).signIns.signOut(notes)
  expect(await whoami('notes')).toContain('needs a sign-in: no user is signed in')
})
