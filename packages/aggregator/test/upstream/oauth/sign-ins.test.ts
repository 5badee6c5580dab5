import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryTokenStore } from '../../../../oauth/src/token-store.ts'
import { lookUpMarker } from '../../../../servers/src/config/expand-variables.ts'
import type { OauthSettings } from '../../../../servers/src/config/server-entry.ts'
import { SignInNeeded } from '../../../../servers/src/connection/sign-in-needed.ts'
import { configOf } from '../../fake-servers.ts'
import { aggregatorOf, eventually, httpServer, signInsIn, type World } from './aggregated.ts'
import { browse } from './browser.ts'
import { freePort } from './free-port.ts'
import { open } from './open-world.ts'

const notesIn = (world: World, oauth?: OauthSettings) =>
  httpServer('notes', world.servers.notes.url, { oauth })

const scopesIn = (tabs: readonly string[]) =>
  tabs.map((url) => new URL(url).searchParams.get('scope'))

const redirectIn = (tab: string | undefined) =>
  new URL(String(new URL(String(tab)).searchParams.get('redirect_uri')))

/** A browser that never comes back: what it is shown is done by hand. */
const byHand = (tabs: string[]) => ({ openBrowser: (url: string) => void tabs.push(url) })

async function hasSubscriptionStream(url: URL | undefined): Promise<boolean> {
  return fetch(String(url)).then(
    () => true,
    () => false,
  )
}

describe('a sign-in', () => {
  test('knows its state before and after, and ends at the authorization server', async () => {
    const world = await open()
    const notes = notesIn(world)
    const { signIns, store } = signInsIn(world)
    expect(await signIns.stateOf(notes)).toBe('none')
    expect(await signIns.signOut(notes)).toBe('none')
    await signIns.signIn(notes)
    expect(await signIns.stateOf(notes)).toBe('signed in')
    expect(await signIns.signOut(notes)).toBe('revoked')
    expect(world.authorization.revoked).toEqual([world.authorization.issued[0]?.refreshToken])
    expect(await signIns.stateOf(notes)).toBe('none')
    expect(await store.read({ unit: 'notes', address: notes.url })).not.toHaveProperty('grant')
  })

  test('that ended is forgotten here, wherever it could not be revoked', async () => {
    const world = await open()
    const notes = notesIn(world)
    const { signIns: patient, store } = signInsIn(world)
    await patient.signIn(notes)
    const { signIns } = signInsIn(world, { store, requestMs: 200 })
    world.authorization.faults.set('revoke', 'hang')
    expect(await signIns.signOut(notes)).toBe('forgotten')
    expect(await signIns.stateOf(notes)).toBe('none')
  })

  test('has expired when nothing renews it', async () => {
    const settings = { refreshTokens: 'none', accessTokenMs: 60_000 } as const
    const world = await open({ authorization: settings })
    const { signIns } = signInsIn(world)
    await signIns.signIn(notesIn(world))
    expect(await signIns.stateOf(notesIn(world))).toBe('signed in')
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(await signIns.stateOf(notesIn(world))).toBe('expired')
  })

  test('takes the same registration and port the next time, another if that is taken', async () => {
    const world = await open()
    const notes = notesIn(world)
    const { signIns, tabs } = signInsIn(world)
    await signIns.signIn(notes)
    await signIns.signIn(notes)
    expect(world.count('register')).toBe(1)
    const port = Number(redirectIn(tabs[0]).port)
    const other = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    await signIns.signIn(notes)
    expect(world.count('register')).toBe(2)
    expect(tabs.map((tab) => redirectIn(tab).port === String(port))).toEqual([true, true, false])
  })

  test('uses a configured client, its secret, scope and port', async () => {
    const world = await open({ authorization: { registration: false } })
    const port = await freePort()
    const client = { client_id: 'ours', client_secret: 'a secret: 100%' }
    world.authorization.clients.add({
      ...client,
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    })
    world.authorization.settings.alterMetadata = (metadata) => ({
      ...metadata,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    })
    const notes = notesIn(world, {
      clientId: 'ours',
      // As the reader of configurations marks what is looked up.
      clientSecret: `${lookUpMarker}keychain:ours${lookUpMarker}`,
      scope: 'publish',
      port,
    })
    const secretSources = { keychain: async () => client.client_secret }
    const { signIns, tabs } = signInsIn(world, { secretSources })
    await signIns.signIn(notes)
    expect(scopesIn(tabs)).toEqual(['publish'])
    const { whoami } = aggregatorOf([notes], { signIns, secretSources })
    world.authorization.expireAccessTokens()
    expect(await whoami('notes')).toBe('alice')
  })

  test('says what to configure where nobody can register', async () => {
    const world = await open({ authorization: { registration: false } })
    const { signIns, tabs } = signInsIn(world)
    await expect(signIns.signIn(notesIn(world))).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringContaining('does not support client registration'),
      remedy: expect.stringContaining('"oauth": {"clientId": …'),
    })
    expect(tabs).toEqual([])
  })

  test('says so where nobody grants access', async () => {
    const world = await open({ servers: { notes: { challenge: 'none' }, mail: {} } })
    world.servers.notes.faults.set('resource-metadata', 'missing')
    const { signIns } = signInsIn(world)
    await expect(signIns.signIn(notesIn(world))).rejects.toThrow('names no authorization server')
  })

  test('does not take the metadata of the server for missing when they fail', async () => {
    const world = await open()
    world.servers.notes.faults.set('resource-metadata', 'error')
    const { signIns } = signInsIn(world)
    await expect(signIns.signIn(notesIn(world))).rejects.toThrow('its metadata cannot be read')
    expect(world.count('/.well-known/oauth-authorization-server', 'notes')).toBe(0)
  })

  test.each([
    ['authorization_endpoint', 'http://example.test/authorize'],
    ['authorization_endpoint', 'file:///etc/passwd'],
    ['token_endpoint', 'http://example.test/token'],
    ['registration_endpoint', 'http://example.test/register'],
  ])('goes to no %s of %s', async (name, url) => {
    const alterMetadata = (metadata: object) => ({ ...metadata, [name]: url })
    const world = await open({ authorization: { alterMetadata } })
    const { signIns, tabs } = signInsIn(world)
    await expect(signIns.signIn(notesIn(world))).rejects.toThrow(/not https|sign in at/)
    if (name !== 'token_endpoint') expect(tabs).toEqual([])
  })

  test('takes no metadata of another resource', async () => {
    const alterMetadata = (given: object) => ({ ...given, resource: 'https://elsewhere.test/mcp' })
    const world = await open({ servers: { notes: { alterMetadata }, mail: {} } })
    const { signIns } = signInsIn(world)
    await expect(signIns.signIn(notesIn(world))).rejects.toThrow('names the resource https://else')
  })

  test('is not ended by a browser that brings another state', async () => {
    const world = await open()
    const tabs: string[] = []
    const { signIns } = signInsIn(world, byHand(tabs))
    const done = signIns.signIn(notesIn(world))
    await eventually(() => expect(tabs).toHaveLength(1))
    world.authorization.settings.alterCallback = (to) =>
      to.searchParams.set('state', 'x'.repeat(64))
    const wrong = await world.openInBrowser(String(tabs[0]))
    expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining('not the sign-in')])
    expect(world.count('token')).toBe(0)
    world.authorization.settings.alterCallback = () => {}
    await world.openInBrowser(String(tabs[0]))
    await done
  })

  test('fails where another server answers, and its text is not shown', async () => {
    const alterCallback = (to: URL) => {
      to.searchParams.set('iss', 'http://elsewhere.test')
      to.searchParams.set('error_description', 'call 555-1234')
    }
    const world = await open({ authorization: { alterCallback } })
    const { signIns } = signInsIn(world)
    await expect(signIns.signIn(notesIn(world))).rejects.toThrow(
      /^the response came from another authorization server than /,
    )
    expect(world.count('token')).toBe(0)
    await eventually(() => expect(world.visits).toHaveLength(1))
    expect(world.visits[0]?.body).not.toContain('555')
  })

  test('fails where the user says no', async () => {
    const world = await open({ authorization: { consent: () => undefined } })
    const { signIns } = signInsIn(world)
    await expect(signIns.signIn(notesIn(world))).rejects.toThrow('access_denied: alice said no')
    await eventually(() => expect(world.visits).toHaveLength(1))
    expect(world.visits[0]).toMatchObject({
      status: 400,
      body: expect.stringContaining('The sign-in failed'),
    })
  })

  test('that is cancelled leaves nothing behind', async () => {
    const world = await open()
    const tabs: string[] = []
    const { signIns } = signInsIn(world, byHand(tabs))
    const cancelling = new AbortController()
    const done = signIns.signIn(notesIn(world), cancelling.signal)
    await eventually(() => expect(tabs).toHaveLength(1))
    cancelling.abort(new Error('not now'))
    await expect(done).rejects.toThrow('not now')
    await eventually(async () =>
      expect(await hasSubscriptionStream(redirectIn(tabs[0]))).toBe(false),
    )
    const again = signIns.signIn(notesIn(world))
    await eventually(() => expect(tabs).toHaveLength(2))
    await world.openInBrowser(String(tabs[1]))
    await again
  })

  test('that nobody finishes ends in time, and the client is registered anew', async () => {
    const world = await open()
    const tabs: string[] = []
    const timeoutMs = 600_000
    const { store } = signInsIn(world)
    const { signIns: quick } = signInsIn(world, { store })
    await quick.signIn(notesIn(world))
    const { signIns: slow } = signInsIn(world, { store, ...byHand(tabs), timeoutMs })
    world.authorization.clients.forget(String(world.authorization.clients.all()[0]?.client_id))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const unfinished = expect(slow.signIn(notesIn(world))).rejects
    await expect.poll(() => tabs).toHaveLength(1)
    vi.advanceTimersByTime(timeoutMs)
    await unfinished.toThrow('no user signed in within')
    vi.useRealTimers()
    expect((await browse(String(tabs[0]))).body).toContain('no client')
    await quick.signIn(notesIn(world))
    expect(world.count('register')).toBe(2)
  })

  test('ends when a hanging server does not let it begin', async () => {
    const world = await open()
    world.authorization.faults.set('register', 'hang')
    const { signIns } = signInsIn(world, { requestMs: 200 })
    await expect(signIns.signIn(notesIn(world))).rejects.toThrow('did not answer within 0.2 s')
  })

  test('is one at a time, and says where it goes on', async () => {
    const world = await open()
    const store = createMemoryTokenStore()
    const tabs: string[] = []
    const one = signInsIn(world, { store, ...byHand(tabs) }).signIns
    const other = signInsIn(world, { store, ...byHand(tabs), interactive: true }).signIns
    const first = one.signIn(notesIn(world))
    const second = one.signIn(notesIn(world))
    await eventually(() => expect(tabs).toHaveLength(1))
    await expect(other.signIn(notesIn(world))).rejects.toMatchObject({
      code: 'needs_sign_in',
      remedy: `Sign in at ${tabs[0]} and try again.`,
    })
    const { whoami } = aggregatorOf([notesIn(world)], { signIns: other })
    expect(await whoami('notes')).toContain(`Sign in at ${tabs[0]} and try again.`)
    await world.openInBrowser(String(tabs[0]))
    await Promise.all([first, second])
    expect(tabs).toHaveLength(1)
    expect(await whoami('notes')).toBe('alice')
  })

  test('is not begun for a call that found out before another was done', async () => {
    const world = await open()
    const { signIns, tabs } = signInsIn(world, { interactive: true })
    const early = new SignInNeeded('no user is signed in')
    await signIns.signIn(notesIn(world))
    expect(await signIns.explain(notesIn(world), early)).toMatchObject({
      code: 'needs_sign_in',
      remedy: 'A user has signed in since: call again.',
    })
    expect(tabs).toHaveLength(1)
  })

  test('is for servers that have an address and all they need', async () => {
    const { signIns } = signInsIn(await open())
    await expect(signIns.signIn(configOf('local'))).rejects.toMatchObject({ code: 'bad_argument' })
    const broken = httpServer('x', 'https://${HOST}/mcp', { problem: 'url names HOST' })
    await expect(signIns.signIn(broken)).rejects.toMatchObject({ code: 'bad_config' })
  })

  test('asks for offline access where that is known', async () => {
    const world = await open({ authorization: { scopes: ['mcp', 'publish', 'offline_access'] } })
    const { signIns, tabs } = signInsIn(world)
    await signIns.signIn(notesIn(world))
    expect(scopesIn(tabs)).toEqual(['mcp offline_access'])
  })
})
