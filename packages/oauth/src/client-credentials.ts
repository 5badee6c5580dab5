import type { HttpServer } from '#servers/config/server-config'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { Challenge } from '#servers/protocol/challenge'
import { qualifiedName } from '#servers/protocol/server-account'
import type { Fetch } from './bounded-fetch.ts'
import { type Credential, type Grant, unionOf } from './credential.ts'
import { boundIssuer } from './registered-client.ts'
import { requestTokens } from './token-requests.ts'

/** True if a client gets tokens for itself: no user signs in. */
export const isUnattended = ({ oauth }: HttpServer): boolean =>
  oauth?.grant === 'client_credentials'

/**
 * Tokens of a client for itself (RFC 6749, 4.4), by its secret or by a JWT that its key signs (RFC
 * 7523). What is stored has neither.
 */
export async function clientCredentials(
  server: HttpServer,
  { challenge, credential, fetch }: Asking,
): Promise<Grant> {
  const { clientId, clientSecret, privateKey, algorithm = 'ES256', scope } = server.oauth ?? {}
  if (clientId === undefined || (clientSecret ?? privateKey) === undefined)
    throw new AggregatorError(
      'bad_config',
      `${qualifiedName(server)} has "grant": "client_credentials" and no client.`,
      'Add "clientId", and "clientSecret" or "privateKey", to "oauth".',
    )
  const protocol = await import('./sdk-protocol.ts')
  const discovery = await protocol.discover(server.url, challenge, fetch)
  boundIssuer(server, discovery, credential)
  const wanted = unionOf(scope ?? challenge.scope, credential?.requestedScope)
  const tokens = await requestTokens(
    {
      discovery,
      client: { client_id: clientId, client_secret: clientSecret },
      fetch,
      ...(privateKey && { sign: protocol.signedBy({ clientId, privateKey, algorithm }) }),
    },
    { grant_type: 'client_credentials', ...(wanted && { scope: wanted }) },
  )
  return {
    tokens: { ...tokens, scope: tokens.scope ?? wanted },
    client: { client_id: clientId },
    discovery,
    grantedAt: Date.now(),
  }
}

interface Asking {
  challenge: Challenge
  credential: Credential | undefined
  fetch: Fetch
}
