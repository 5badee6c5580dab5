import {
  Client,
  InsufficientScopeError,
  IssuerMismatchError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { describe, expect, test, vi } from 'vitest'
import { codeOf, open } from './open-world.ts'
import { asksAtCalls } from './resource-server.ts'
import { connectTo, createProvider, signIn } from './sign-in.ts'

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content } = await client.callTool({ name, arguments: args })
  return (content as { text: string }[])[0]?.text ?? ''
}

const whoami = async (client: Client) => JSON.parse(await call(client, 'whoami'))

describe('a sign-in', () => {
  test.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)('of a client %j', async (mode) => {
    const world = await open()
    const { client } = await signIn(world, world.servers.notes.url, { mode })
    expect(await whoami(client)).toMatchObject({ user: 'alice', subject: 'user:alice' })
    expect(await call(client, 'echo', { text: 'hello' })).toBe('hello')
    expect(client.getNegotiatedProtocolVersion()).toBe(
      mode === 'legacy' ? '2025-11-25' : '2026-07-28',
    )
    expect(world.count('authorize')).toBe(1)
    expect(world.authorization.issued).toHaveLength(1)
  })

  test('is of the user of the browser', async () => {
    const world = await open()
    const { url } = world.servers.notes
    const [alice, bob] = [await signIn(world, url), await signIn(world, url, { user: 'bob' })]
    expect((await whoami(bob.client)).user).toBe('bob')
    expect((await whoami(alice.client)).user).toBe('alice')
  })

  test('can be refused by the user', async () => {
    const world = await open({ authorization: { consent: () => undefined } })
    const error = await signIn(world, world.servers.notes.url).catch(codeOf)
    expect(error).toBe('access_denied')
  })

  test('needs a client that is known, where none may register', async () => {
    const world = await open({ authorization: { registration: false } })
    const { url } = world.servers.notes
    await expect(signIn(world, url)).rejects.toThrow('dynamic client registration')
    world.authorization.clients.add({
      client_id: 'ours',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
    })
    const memory = () => ({ client: { client_id: 'ours', issuer: world.authorization.issuer } })
    world.authorization.settings.anyLoopbackPort = true
    const { client } = await signIn(world, url, { memory: memory() })
    expect((await whoami(client)).user).toBe('alice')
  })

  test('may be of a client that a document describes', async () => {
    const url = 'https://client.test/metadata'
    const document = { redirect_uris: ['http://127.0.0.1/callback'] }
    const world = await open({
      authorization: { metadataDocuments: { [url]: document }, anyLoopbackPort: true },
    })
    await signIn(world, world.servers.notes.url, { metadata: { url } })
    expect(world.count('register')).toBe(0)
    expect(world.authorization.authorizations[0]?.clientId).toBe(url)
  })

  test('goes no further where another server answers', async () => {
    const alterCallback = (to: URL) => to.searchParams.set('iss', 'http://elsewhere.test')
    const world = await open({ authorization: { alterCallback } })
    const error = await signIn(world, world.servers.notes.url).catch((thrown) => thrown)
    expect(IssuerMismatchError.isInstance(error)).toBe(true)
    expect(world.count('token')).toBe(0)
  })
})

describe('an MCP server', () => {
  test('takes no token that was made for another', async () => {
    const world = await open()
    const { provider } = await signIn(world, world.servers.notes.url)
    const token = provider.memory.tokens?.access_token
    const answer = await fetch(world.servers.mail.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize' }),
    })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer error="invalid_token", scope="mcp", resource_metadata="http:.+\/mcp"$/,
    )
  })

  test('is content again after a refresh', async () => {
    const world = await open()
    const { client } = await signIn(world, world.servers.notes.url, { mode: 'auto' })
    const before = await whoami(client)
    world.authorization.expireAccessTokens()
    const after = await whoami(client)
    expect(after.accessToken).not.toBe(before.accessToken)
    expect(after.grant).toBe(before.grant)
    world.authorization.expireAccessTokens()
    expect((await whoami(client)).user).toBe('alice')
    expect([world.refreshes(), world.count('authorize')]).toEqual([2, 1])
    expect(world.authorization.issued.map(({ by }) => by)).toEqual([
      'authorization_code',
      'refresh_token',
      'refresh_token',
    ])
  })

  test('shuts out a client that refreshes twice at once', async () => {
    const world = await open({ authorization: { tokenDelayMs: 50 } })
    const { client } = await signIn(world, world.servers.notes.url, { mode: 'auto' })
    world.authorization.expireAccessTokens()
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    await Promise.allSettled([whoami(client), whoami(client)])
    expect(warn.mock.lastCall?.[0]).toContain('the refresh token was used before')
    warn.mockRestore()
    expect(world.refreshes()).toBe(2)
    expect(world.authorization.issued.every(({ grant }) => grant.isRevoked)).toBe(true)
  })

  test('asks for a wider scope where a tool needs it', async () => {
    const world = await open()
    const { url } = world.servers.notes
    const { client, provider } = await signIn(world, url, { mode: 'auto' })
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      authProvider: provider,
      onInsufficientScope: 'throw',
    })
    const careful = new Client({ name: 'test', version: '0' })
    await careful.connect(transport as Transport)
    const refused = await call(careful, 'publish', { text: 'x' }).catch((thrown) => thrown)
    expect(InsufficientScopeError.isInstance(refused) && refused.requiredScope).toBe('publish')
    expect(world.count('authorize')).toBe(1)
    const error = await call(client, 'publish', { text: 'x' }).catch((thrown) => thrown)
    expect(UnauthorizedError.isInstance(error)).toBe(true)
    const scopes = world.opened.map((address) => new URL(address).searchParams.get('scope'))
    expect(scopes).toEqual(['mcp', 'mcp publish'])
  })

  test('lets a client with the wider scope do more', async () => {
    const world = await open({ servers: { notes: { scopes: ['mcp', 'publish'] }, mail: {} } })
    const { client } = await signIn(world, world.servers.notes.url)
    expect(await call(client, 'publish', { text: 'x' })).toBe('x')
  })

  test.each(['legacy', 'auto'] as const)('can be open until a call: %s', async (mode) => {
    const world = await open({ servers: { notes: { needsToken: asksAtCalls }, mail: {} } })
    const provider = createProvider('http://127.0.0.1:9/callback', async () => {})
    const { client } = await connectTo(world.servers.notes.url, provider, mode)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami')
    await expect(whoami(client)).rejects.toThrow('Unauthorized')
    expect(world.methodsAt('notes')).toContain('tools/call')
  })

  test.each([
    ['legacy', '2025-11-25'],
    ['modern', '2026-07-28'],
  ] as const)('can be of one era: %s', async (era, version) => {
    const world = await open({ servers: { notes: { eras: [era] }, mail: {} } })
    const { client } = await signIn(world, world.servers.notes.url, { mode: 'auto' })
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
  })
})

describe('what goes wrong', () => {
  test('an endpoint that hangs, until the world closes', async () => {
    const world = await open()
    world.authorization.faults.set('token', 'hang')
    const signing = signIn(world, world.servers.notes.url).catch(() => 'failed')
    const soon = new Promise((resolve) => setTimeout(resolve, 300, 'still waiting'))
    expect(await Promise.race([signing, soon])).toBe('still waiting')
    await expect.poll(() => world.count('token')).toBe(1)
    await world.close()
    expect(await signing).toBe('failed')
  })

  test.each(['no JSON', 'empty object', 'error'] as const)('metadata: %s', async (fault) => {
    const world = await open()
    world.authorization.faults.set('metadata', fault)
    await expect(signIn(world, world.servers.notes.url)).rejects.toThrow()
    expect(world.count('authorize')).toBe(0)
  })

  test('metadata of another issuer', async () => {
    const alterMetadata = (metadata: object) => ({ ...metadata, issuer: 'http://elsewhere.test' })
    const world = await open({ authorization: { alterMetadata } })
    const error = await signIn(world, world.servers.notes.url).catch((thrown) => thrown)
    expect(IssuerMismatchError.isInstance(error)).toBe(true)
  })
})
