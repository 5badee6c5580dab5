import { createHash } from 'node:crypto'
import { exchangeAuthorization, refreshAuthorization } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { codeOf, open } from './open-world.ts'
import { listenForCallback } from './sign-in.ts'

/** A code, and what is needed to redeem it. */
async function authorizeByHand(
  world: Awaited<ReturnType<typeof open>>,
  changes: Record<string, string> = {},
) {
  const listener = await listenForCallback()
  onTestFinished(listener.close)
  const { issuer, clients } = world.authorization
  const { redirectUrl } = listener
  const client = clients.register({
    redirect_uris: [redirectUrl],
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  })
  const codeVerifier = 'v'.repeat(43)
  const resource = world.servers.notes.url
  const at = new URL(`${issuer}/authorize`)
  at.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUrl,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource,
      ...changes,
    }),
  )
  const visit = await world.openInBrowser(at)
  const params = new URL(visit.visited.at(-1) ?? '').searchParams
  const context = (given: object = {}) =>
    exchangeAuthorization(issuer, {
      clientInformation: client,
      authorizationCode: params.get('code') ?? '',
      codeVerifier,
      redirectUri: redirectUrl,
      resource,
      ...given,
    })
  const refresh = (refreshToken: string) =>
    refreshAuthorization(issuer, { clientInformation: client, refreshToken, resource })
  return { visit, params, client, exchange: context, refresh }
}

describe('the authorization server is strict', () => {
  test.each([
    ['verifier', { codeVerifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['redirect', { redirectUri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
    ['resource', { resource: 'http://127.0.0.1:1/mcp' }, 'invalid_target'],
    ['client', { clientInformation: { client_id: 'nobody' } }, 'invalid_client'],
    [
      'secret',
      { clientInformation: { client_id: 'nobody', client_secret: 'x' } },
      'invalid_client',
    ],
  ])('about the %s of a code', async (_what, given, code) => {
    const { exchange: context } = await authorizeByHand(await open())
    expect(await context(given).catch(codeOf)).toBe(code)
    if (code === 'invalid_grant') expect(await context().catch(codeOf)).toBe(code)
  })

  test.each([
    ['challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['resource', { resource: 'http://127.0.0.1:1/mcp' }, 'invalid_target'],
    ['scope', { scope: 'mcp everything' }, 'invalid_scope'],
    ['response type', { response_type: 'token' }, 'unsupported_response_type'],
  ])('about the %s of a request', async (_what, changes, error) => {
    const { params } = await authorizeByHand(await open(), changes)
    expect(Object.fromEntries(params)).toMatchObject({ error, iss: expect.any(String) })
  })

  test.each([
    ['redirect', { redirect_uri: 'http://127.0.0.1:1/callback' }],
    ['client', { client_id: 'nobody' }],
  ])('and sends nobody on with a wrong %s', async (_what, changes) => {
    const { visit } = await authorizeByHand(await open(), changes)
    expect(visit.visited).toHaveLength(1)
    expect(visit.status).toBeGreaterThanOrEqual(400)
  })

  test('and takes a code once: the second time ends what came of the first', async () => {
    const world = await open()
    const { exchange: context } = await authorizeByHand(world)
    const { access_token } = await context()
    const { notes, mail } = world.servers
    expect(world.authorization.verify(access_token, notes.url)).toBeDefined()
    expect(world.authorization.verify(access_token, mail.url)).toBeUndefined()
    expect(await context().catch(codeOf)).toBe('invalid_grant')
    expect(world.authorization.verify(access_token, notes.url)).toBeUndefined()
  })

  test('and takes a refresh token once: the second time ends all that came of it', async () => {
    const world = await open()
    const { exchange: context, refresh } = await authorizeByHand(world)
    const first = await context()
    const second = await refresh(first.refresh_token ?? '')
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await refresh(first.refresh_token ?? '').catch(codeOf)).toBe('invalid_grant')
    expect(await refresh(second.refresh_token ?? '').catch(codeOf)).toBe('invalid_grant')
    expect(world.authorization.verify(second.access_token, world.servers.notes.url)).toBeUndefined()
  })

  test('and lets tokens end in their time', async () => {
    const world = await open({ authorization: { accessTokenMs: 20 } })
    const { exchange: context } = await authorizeByHand(world)
    const { access_token, expires_in } = await context()
    expect(expires_in).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(world.authorization.verify(access_token, world.servers.notes.url)).toBeUndefined()
  })

  test('and forgets what is revoked', async () => {
    const world = await open()
    const { client, exchange: context, refresh } = await authorizeByHand(world)
    const { access_token, refresh_token = '' } = await context()
    const body = new URLSearchParams({ token: refresh_token, client_id: client.client_id })
    await fetch(`${world.authorization.issuer}/revoke`, { method: 'POST', body })
    expect(world.authorization.revoked).toEqual([refresh_token])
    expect(world.authorization.verify(access_token, world.servers.notes.url)).toBeUndefined()
    expect(await refresh(refresh_token).catch(codeOf)).toBe('invalid_grant')
  })
})
