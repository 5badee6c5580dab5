import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from 'jose'

interface Signing {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  key?: CryptoKey | Uint8Array
}

/** An authorization server on loopback: its keys, and tokens as it would give them. */
export async function startIssuer(audience: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  let isDown = false
  let keyRequests = 0
  const server = createServer((request, response) => {
    const isMetadata = request.url?.startsWith('/.well-known/oauth-authorization-server') === true
    if (request.url === '/jwks') keyRequests++
    if (isDown) return void response.writeHead(500).end()
    if (isMetadata) return void response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks` }))
    if (request.url === '/jwks')
      return void response.end(
        JSON.stringify({ keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] }),
      )
    response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const now = (): number => Math.floor(Date.now() / 1000)
  return {
    issuer,
    /** What is public of the key, as a text: no secret for a signature. */
    publicKey: await exportSPKI(publicKey),
    keyRequests: () => keyRequests,
    goDown: (down: boolean) => {
      isDown = down
    },
    /** A claim that is `undefined` is left out. */
    sign: ({ claims, header, key = privateKey }: Signing = {}): Promise<string> =>
      new SignJWT({
        iss: issuer,
        aud: audience,
        sub: 'ada',
        scope: 'mcp',
        iat: now(),
        exp: now() + 300,
        ...claims,
      } as JWTPayload)
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'at+jwt', ...header })
        .sign(key),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** With no signature at all. */
export function unsigned(token: string): string {
  const [, claims] = token.split('.')
  const header = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
  return `${header}.${claims}.`
}
