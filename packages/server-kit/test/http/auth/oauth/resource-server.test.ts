import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthenticator, createResourceServer, metadataRoute } from '../../../../src/index.ts'
import { startIssuer, unsigned } from '../../../issuer.ts'
import { openTestEndpoint, route } from '../../../knock.ts'

const audience = 'https://pith.example/mcp'
let issuer: Awaited<ReturnType<typeof startIssuer>>
let endpoint: Awaited<ReturnType<typeof openTestEndpoint>>

const resourceServer = (more = {}) =>
  createResourceServer({ issuer: issuer.issuer, audience, ...more })

beforeAll(async () => {
  issuer = await startIssuer(audience)
  const oauth = resourceServer()
  const authenticator = createAuthenticator({ oauth })
  const routes = [route('/mcp'), route('/console', { scope: 'console' }), metadataRoute(oauth)]
  endpoint = await openTestEndpoint(routes, {}, authenticator)
})
afterAll(async () => {
  await endpoint.close()
  await issuer.close()
})

const ask = (token: string, path = '/mcp') =>
  endpoint.ask(path, { headers: { authorization: `Bearer ${token}` } })
const seconds = (): number => Math.floor(Date.now() / 1000)
const challenge =
  'resource_metadata="https://pith.example/.well-known/oauth-protected-resource/mcp"'

test('an access token lets in who it names', async () => {
  const response = await ask(await issuer.sign())
  expect(await response.text()).toBe('jwt ada')
})

describe('a token is refused', () => {
  const cases: [string, () => Promise<string>, string][] = [
    [
      'of another issuer',
      () => issuer.sign({ claims: { iss: 'https://evil.example' } }),
      'jwt_iss',
    ],
    [
      'for another audience',
      () => issuer.sign({ claims: { aud: 'https://other.example' } }),
      'jwt_aud',
    ],
    ['for no audience', () => issuer.sign({ claims: { aud: undefined } }), 'jwt_aud'],
    ['for an object', () => issuer.sign({ claims: { aud: {} } }), 'jwt_aud'],
    [
      'for a list of other values',
      () => issuer.sign({ claims: { aud: [{}, 7, null] } }),
      'jwt_aud',
    ],
    [
      'for a place beside ours',
      () => issuer.sign({ claims: { aud: `${audience}/../x` } }),
      'jwt_aud',
    ],
    ['that is over', () => issuer.sign({ claims: { exp: seconds() - 60 } }), 'jwt_expired'],
    ['that is never over', () => issuer.sign({ claims: { exp: undefined } }), 'jwt_exp'],
    ['that is not valid yet', () => issuer.sign({ claims: { nbf: seconds() + 120 } }), 'jwt_nbf'],
    ['without a name', () => issuer.sign({ claims: { sub: undefined } }), 'jwt_name'],
    ['without a signature', async () => unsigned(await issuer.sign()), 'jwt_algorithm'],
    [
      'signed with the public key as a secret',
      () =>
        issuer.sign({ header: { alg: 'HS256' }, key: new TextEncoder().encode(issuer.publicKey) }),
      'jwt_algorithm',
    ],
    [
      'signed with another key',
      async () => issuer.sign({ key: (await generateKeyPair('RS256')).privateKey }),
      'jwt_signature',
    ],
    ['signed with a key nobody knows', () => issuer.sign({ header: { kid: 'x' } }), 'jwt_key'],
    ['of another kind', () => issuer.sign({ header: { typ: 'logout+jwt' } }), 'jwt_typ'],
    ['bound to a key', () => issuer.sign({ claims: { cnf: { jkt: 'x' } } }), 'jwt_bound'],
    [
      'whose claims were changed',
      async () => (await issuer.sign()).replace(/\.(.)/, (_, c) => `.${c === 'e' ? 'f' : 'e'}`),
      'jwt',
    ],
    ['that only looks like one', async () => 'a.b.c', 'jwt_malformed'],
  ]
  test.each(cases)('%s', async (_what, make, reason) => {
    endpoint.refused.length = 0
    const response = await ask(await make())
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", scope="mcp", ${challenge}`,
    )
    expect(endpoint.refused).toMatchObject([
      { reason: expect.stringMatching(`^${reason}`), status: 401 },
    ])
  })
})

test('a token without the scope is told which it needs', async () => {
  const response = await ask(await issuer.sign({ claims: { scope: 'openid' } }))
  expect(response.status).toBe(403)
  expect(response.headers.get('www-authenticate')).toBe(
    `Bearer error="insufficient_scope", scope="mcp", ${challenge}`,
  )
  const console = await ask(await issuer.sign(), '/console')
  expect(console.status).toBe(403)
  expect(console.headers.get('www-authenticate')).toContain('scope="console"')
  expect(
    (await ask(await issuer.sign({ claims: { scope: 'mcp console' } }), '/console')).status,
  ).toBe(200)
})

test('who comes without a token is told where to sign in, without an error', async () => {
  const response = await endpoint.ask('/mcp')
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe(`Bearer scope="mcp", ${challenge}`)
})

test.each([
  ['', audience],
  ['/mcp', audience],
  ['/mcp/docs', `${audience}/docs`],
])('what is at .well-known%s is said by the configured address', async (path, resource) => {
  const response = await endpoint.ask(`/.well-known/oauth-protected-resource${path}`, {
    headers: { 'x-forwarded-host': 'evil.example' },
  })
  expect(await response.json()).toEqual({
    resource,
    authorization_servers: [issuer.issuer],
    scopes_supported: ['mcp'],
    bearer_methods_supported: ['header'],
  })
})

test('nothing is described beside that', async () => {
  for (const path of ['x', 'mcp/a/b', 'mcp/.x'])
    expect((await endpoint.ask(`/.well-known/oauth-protected-resource/${path}`)).status).toBe(404)
})

describe('a profile', () => {
  test('is that of the claim, and a token without it is refused', async () => {
    const server = resourceServer({ profileClaim: 'team' })
    expect(
      await server.authenticate(await issuer.sign({ claims: { team: 'docs' } })),
    ).toMatchObject({
      profile: 'docs',
    })
    for (const team of [undefined, ['a', 'b'], 7, '../x'])
      await expect(
        server.authenticate(await issuer.sign({ claims: { team } })),
      ).rejects.toMatchObject({
        reason: 'jwt_profile',
      })
  })

  test('is that of the audience, where the token is for its address', async () => {
    const token = await issuer.sign({ claims: { aud: [`${audience}/docs`] } })
    expect(await resourceServer().authenticate(token)).toMatchObject({ profile: 'docs' })
    const server = resourceServer({ profileClaim: 'team' })
    const both = await issuer.sign({ claims: { aud: `${audience}/docs`, team: 'mail' } })
    await expect(server.authenticate(both)).rejects.toMatchObject({ reason: 'jwt_profile' })
  })
})

test('what is below an address that is not that of MCP is not taken for ours', async () => {
  const audience = 'https://pith.example'
  const server = resourceServer({ audience })
  const token = (aud: string) => issuer.sign({ claims: { aud } })
  expect(await server.authenticate(await token(audience))).toMatchObject({ name: 'ada' })
  await expect(server.authenticate(await token(`${audience}/other`))).rejects.toMatchObject({
    reason: 'jwt_aud',
  })
  expect(server.metadataUrl('/mcp/docs')).toBe(
    'https://pith.example/.well-known/oauth-protected-resource',
  )
  for (const path of ['', '/mcp', '/mcp/docs'])
    expect(server.metadataAt(`/.well-known/oauth-protected-resource${path}`)).toMatchObject({
      resource: audience,
    })
})

test('users whose names look alike where they are shown are not taken for each other', async () => {
  const server = resourceServer()
  const authenticate = async (sub: string) =>
    server.authenticate(await issuer.sign({ claims: { sub } }))
  const [one, other, again] = await Promise.all(['李明', '王芳', '李明'].map(authenticate))
  expect(one?.name).toBe(other?.name)
  expect(one?.id).not.toBe(other?.id)
  expect(again?.id).toBe(one?.id)
})

test('who has a profile has nothing of the console, whatever the token says', async () => {
  const server = resourceServer({ profileClaim: 'team' })
  const token = await issuer.sign({ claims: { team: 'docs', scope: 'mcp console' } })
  const { profile, scopes } = await server.authenticate(token)
  expect([profile, [...scopes]]).toEqual(['docs', ['mcp']])
})

test('claims and scopes may have other names', async () => {
  const scopes = { mcp: 'api://pith/use' }
  const server = resourceServer({ nameClaim: 'email', scopes })
  const claims = { email: 'ada@example.com', scope: undefined, scp: ['api://pith/use'] }
  const principal = await server.authenticate(await issuer.sign({ claims }))
  expect(principal).toMatchObject({ name: 'ada@example.com', scopes: new Set(['mcp']) })
})

describe('keys', () => {
  test('are fetched once for many requests, and an unknown one does not fetch them each time', async () => {
    const own = await startIssuer(audience)
    const server = createResourceServer({ issuer: own.issuer, audience })
    const token = await own.sign()
    await Promise.all(Array.from({ length: 50 }, () => server.authenticate(token)))
    expect(own.keyRequests()).toBe(1)
    for (let n = 0; n < 20; n++)
      await server.authenticate(await own.sign({ header: { kid: `k${n}` } })).catch(() => {})
    expect(own.keyRequests()).toBeLessThanOrEqual(2)
    await own.close()
  })

  test('that cannot be fetched are no reason to call a token wrong, and are not fetched at each request', async () => {
    const own = await startIssuer(audience)
    const logged: string[] = []
    const jwksUri = `${own.issuer}/jwks`
    const oauth = createResourceServer({
      issuer: own.issuer,
      audience,
      jwksUri,
      onLog: (text) => logged.push(text),
    })
    own.goDown(true)
    const down = await openTestEndpoint([route('/mcp')], {}, createAuthenticator({ oauth }))
    const headers = { authorization: `Bearer ${await own.sign()}` }
    for (let n = 0; n < 20; n++) {
      const response = await down.ask('/mcp', { headers })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('5')
    }
    expect(own.keyRequests()).toBe(1)
    expect(logged).toEqual([expect.stringContaining('answered with status 500')])
    await down.close()
    await own.close()
  })
})

test.each([
  [{ issuer: 'http://login.example' }, 'oauth.issuer'],
  [{ audience: 'pith' }, 'got pith. It defaults to the audience.'],
  [{ jwksUri: 'http://keys.example' }, 'oauth.jwksUri'],
  [{ algorithms: ['HS256'] }, ', got HS256.'],
  [{ scopes: { mcp: 'a b' } }, 'oauth.scopes must be valid OAuth scope names, got a b.'],
])('%j is refused before anyone comes', (more, said) => {
  expect(() => resourceServer(more)).toThrow(said)
})
