import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { unattended } from './token-requests-of.ts'

const secret = { clientId: 'robot', clientSecret: 'its-secret', scope: 'read' }

test('a client gets a token for itself when its server asks for one', async () => {
  const { keeper, requests, store } = unattended(secret)
  expect(await keeper.token()).toBeUndefined()
  await keeper.renew(undefined, {})
  expect(await keeper.token()).toBe('token-1')
  expect(requests).toEqual([
    {
      authorization: `Basic ${Buffer.from('robot:its-secret').toString('base64')}`,
      fields: {
        grant_type: 'client_credentials',
        scope: 'read',
        resource: 'https://mcp.example/mcp',
      },
    },
  ])
  const stored = await store.read({ unit: 'notes', address: 'https://mcp.example/mcp' })
  expect(stored?.grant?.tokens.accessToken).toBe('token-1')
  expect(JSON.stringify(stored)).not.toContain('its-secret')
})

test('and another one when it has expired, or is refused', async () => {
  const { keeper } = unattended(secret, [{ expires_in: 1 }, { expires_in: 3_600 }])
  await keeper.renew(undefined, {})
  expect(await keeper.token()).toBe('token-2')
  await keeper.renew('token-2', {})
  expect(await keeper.token()).toBe('token-3')
})

test('a key signs instead of a secret', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const { keeper, requests } = unattended({ clientId: 'robot', privateKey: pem })
  await keeper.renew(undefined, {})
  const { client_assertion = '', client_assertion_type } = requests[0]?.fields ?? {}
  expect(client_assertion_type).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
  const [head = '', body = '', signature = ''] = client_assertion.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  expect(claims).toMatchObject({ iss: 'robot', sub: 'robot' })
  const key = {
    key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
    dsaEncoding: 'ieee-p1363',
  } as const
  const signed = Buffer.from(`${head}.${body}`)
  expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true)
})

test.each([
  ['no client', {}, /has "grant": "client_credentials" and no client/],
  ['another issuer', { ...secret, issuer: 'https://other.example' }, /No secret was sent/],
])('%s: nothing is sent', async (_, oauth, reason) => {
  const { keeper, requests } = unattended(oauth)
  await expect(keeper.renew(undefined, {})).rejects.toThrow(reason)
  expect(requests).toEqual([])
})

test('a refusal says what the authorization server says', async () => {
  const { keeper } = unattended(secret, [{ error: 'invalid_client' }])
  await expect(keeper.renew(undefined, {})).rejects.toThrow(/invalid_client/)
})
