import { describe, expect, test } from 'vitest'
import { keyOf } from '../../../../oauth/src/credential.ts'
import { createMemoryTokenStore } from '../../../../oauth/src/token-store.ts'
import type { OauthSettings } from '../../../../servers/src/config/server-entry.ts'
import { aggregatorOf, eventually, httpServer, signInsIn, type World } from './aggregated.ts'
import { freePort } from './free-port.ts'
import { open } from './open-world.ts'

const secret = 'CORP-SECRET-8842'
const notesIn = (world: World, oauth?: OauthSettings) =>
  httpServer('notes', world.servers.notes.url, oauth ? { oauth } : {})

/** Two authorization servers that know the same client; the MCP server names the second from a time on. */
async function worldOfTwo() {
  const world = await open()
  const other = await open()
  other.resources.add(world.servers.notes.url)
  const port = await freePort()
  for (const { authorization } of [world, other])
    authorization.clients.add({
      client_id: 'corp',
      client_secret: secret,
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
    })
  const oauth = { clientId: 'corp', clientSecret: secret, port }
  const move = () => {
    world.servers.notes.settings.alterMetadata = (metadata) => ({
      ...metadata,
      authorization_servers: [other.authorization.issuer],
    })
  }
  return { world, other, oauth, move, stolen: () => other.count('token') }
}

describe('a configured secret', () => {
  test('goes to the first authorization server that was seen, and to no other', async () => {
    const { world, other, oauth, move, stolen } = await worldOfTwo()
    const { signIns } = signInsIn(world)
    await signIns.signIn(notesIn(world, oauth))
    move()
    await expect(signIns.signIn(notesIn(world, oauth))).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringContaining(other.authorization.issuer),
      remedy: expect.stringContaining('"issuer"'),
    })
    expect(stolen()).toBe(0)
    expect(JSON.stringify(other.seen)).not.toContain(
      Buffer.from(secret).toString('base64').slice(4),
    )
  })

  test('stays with it after a sign-out', async () => {
    const { world, oauth, move, stolen } = await worldOfTwo()
    const { signIns } = signInsIn(world)
    await signIns.signIn(notesIn(world, oauth))
    await signIns.signOut(notesIn(world, oauth))
    expect(await signIns.stateOf(notesIn(world, oauth))).toBe('none')
    move()
    await expect(signIns.signIn(notesIn(world, oauth))).rejects.toThrow('No secret was sent')
    expect(stolen()).toBe(0)
  })

  test('goes to the issuer that is configured', async () => {
    const { world, other, oauth, move, stolen } = await worldOfTwo()
    const { signIns } = signInsIn(world)
    const { issuer } = other.authorization
    const notes = notesIn(world, { ...oauth, issuer: `${issuer}/` })
    await expect(signIns.signIn(notes)).rejects.toThrow('No secret was sent')
    expect(world.count('token')).toBe(0)
    move()
    await signIns.signIn(notes).catch(() => {})
    expect(stolen()).toBe(1)
  })

  test('is not needed for an issuer that is configured to be the only one', async () => {
    const { world } = await worldOfTwo()
    const { signIns } = signInsIn(world)
    const notes = notesIn(world, { issuer: 'https://elsewhere.test' })
    await expect(signIns.signIn(notes)).rejects.toThrow('the configured one is https://elsewhere')
    expect(world.count('register')).toBe(0)
  })

  test('is not used to renew what another issuer granted', async () => {
    const { world, other, oauth } = await worldOfTwo()
    const store = createMemoryTokenStore()
    const { signIns } = signInsIn(world, { store })
    await signIns.signIn(notesIn(world, oauth))
    const { issuer } = other.authorization
    const { signIns: later } = signInsIn(world, { store })
    const moved = notesIn(world, { ...oauth, issuer })
    world.authorization.expireAccessTokens()
    const { call } = aggregatorOf([moved], { signIns: later })
    expect(await call('notes')).toContain('another authorization server than the configured one')
    expect(world.refreshes()).toBe(0)
  })
})

test('a registration that the authorization server has forgotten is made again', async () => {
  const world = await open()
  const { signIns, store } = signInsIn(world, { interactive: true })
  const notes = notesIn(world)
  await signIns.signIn(notes)
  const { call, whoami } = aggregatorOf([notes], { signIns })
  expect(await whoami('notes')).toBe('alice')
  for (const { client_id } of world.authorization.clients.all())
    world.authorization.clients.forget(client_id)
  world.authorization.expireAccessTokens()
  expect(await call('notes')).toContain('needs a sign-in')
  // The sign-in that the call began is of a client that is known.
  await eventually(async () => expect((await store.read(keyOf(notes)))?.grant).toBeDefined())
  expect(world.count('register')).toBe(2)
  await eventually(async () => expect(await whoami('notes')).toBe('alice'))
})

test.each([undefined, [], ['plain'], 'S256'])(
  'metadata that do not announce S256 are refused: %j',
  async (methods) => {
    const alterMetadata = (metadata: Record<string, unknown>) => ({
      ...metadata,
      code_challenge_methods_supported: methods,
    })
    const world = await open({ authorization: { alterMetadata } })
    const { signIns, tabs } = signInsIn(world)
    await expect(signIns.signIn(notesIn(world))).rejects.toThrow(/PKCE|plain|wrong type/)
    expect(tabs).toEqual([])
  },
)

test('words of the authorization server have no control characters', async () => {
  const alterCallback = (callback: URL) => {
    callback.searchParams.set('error', 'access_denied')
    callback.searchParams.set('error_description', 'no\u001b]0;owned\u0007\u001b[2J\r\n\u202eway')
    callback.searchParams.delete('code')
  }
  const world = await open({ authorization: { alterCallback } })
  const { signIns, logs } = signInsIn(world)
  const error = await signIns.signIn(notesIn(world)).catch((failure: Error) => failure)
  const said = `${(error as Error).message}${logs.join('')}`
  expect(said).toContain('access_denied: no ]0;owned [2J way')
  expect(said).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
