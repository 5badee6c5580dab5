import { expect, test } from 'vitest'
import { withOAuth } from '../../../../oauth/src/with-oauth.ts'
import type {
  Connect,
  Connection,
  ConnectOptions,
} from '../../../../servers/src/connection/connection.ts'
import { SignInNeeded } from '../../../../servers/src/connection/sign-in-needed.ts'
import { isAlive } from '../../../src/upstream/is-alive.ts'
import { configOf } from '../../fake-servers.ts'
import { httpServer, signInsIn } from './aggregated.ts'
import { open } from './open-world.ts'

test('what nobody waits for opens no browser, and shows that the server lives', async () => {
  const world = await open()
  const { signIns, tabs } = signInsIn(world, { interactive: true })
  const refuse = () => Promise.reject(new SignInNeeded('no user is signed in'))
  const connect: Connect = async () => ({ request: refuse, follow: refuse }) as never as Connection
  const server = httpServer('notes', world.servers.notes.url)
  const connection = await withOAuth(connect, signIns)({ server } as ConnectOptions)
  await expect(connection.request({ method: 'ping' })).rejects.toBeInstanceOf(SignInNeeded)
  expect(await isAlive({ ...connection, era: 'legacy' })).toBe(true)
  expect(await isAlive({ ...connection, era: 'modern' })).toBe(true)
  expect(tabs).toEqual([])
  const needed = { code: 'needs_sign_in', remedy: expect.stringContaining('Sign in to notes.') }
  await expect(connection.follow([])).rejects.toMatchObject(needed)
  await expect(connection.request({ method: 'tools/list' })).rejects.toMatchObject(needed)
  expect(tabs).toEqual([])
})

test('commands on this machine are left alone', async () => {
  const { signIns } = signInsIn(await open())
  const given: ConnectOptions[] = []
  const connect: Connect = async (options) => {
    given.push(options)
    throw new Error('as it is')
  }
  const connecting = withOAuth(connect, signIns)({ server: configOf('local') } as ConnectOptions)
  await expect(connecting).rejects.toThrow('as it is')
  expect(given[0]).not.toHaveProperty('tokens')
})
