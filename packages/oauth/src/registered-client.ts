import type { HttpServer } from '#servers/config/server-config'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { qualifiedName } from '#servers/protocol/server-account'
import type { Fetch } from './bounded-fetch.ts'
import type { Credential, Discovery, OauthClient, Registration } from './credential.ts'
import type { Protocol } from './sdk-protocol.ts'

/**
 * The port of the registered redirect URI, so that no new registration is needed; 0 is any port.
 */
export function requestedPort({ oauth }: HttpServer, credential: Credential | undefined): number {
  const url = oauth?.clientId === undefined ? credential?.registration?.redirectUrl : undefined
  return oauth?.port ?? (url === undefined ? 0 : Number(new URL(url).port))
}

/**
 * The issuer that a configured secret belongs to: as configured, or the first one seen. Undefined
 * without a secret.
 * @throws {AggregatorError} `bad_config` if the server now names another issuer
 */
export function boundIssuer(
  server: HttpServer,
  { issuer }: Discovery,
  credential: Credential | undefined,
): string | undefined {
  const { oauth } = server
  const secret = oauth?.clientSecret ?? oauth?.privateKey
  const isSecret = oauth?.clientId !== undefined && secret !== undefined
  if (!isSecret && oauth?.issuer === undefined) return undefined
  const bound = oauth?.issuer ?? credential?.issuer ?? credential?.grant?.discovery.issuer
  if (bound === undefined || isSameIssuer(bound, issuer)) return bound ?? issuer
  throw new AggregatorError(
    'bad_config',
    `${qualifiedName(server)} now names the authorization server ${issuer}, but ${isSecret ? 'the configured clientSecret is for' : 'the configured one is'} ${bound}. No secret was sent.`,
    `If the server has moved and you trust it, add "oauth": {"issuer": ${JSON.stringify(issuer)}} to its configuration.`,
  )
}

/** Ignores a trailing slash. */
export const isSameIssuer = (a: string, b: string): boolean =>
  a.replace(/\/$/, '') === b.replace(/\/$/, '')

/**
 * The client for an authorization server: as configured, by our metadata, as registered before for the same redirect
 * URI, or newly registered.
 * @throws {AggregatorError} `bad_config` if the server has no dynamic registration
 */
export async function registeredClient(
  { oauth, ...server }: HttpServer,
  record: Registration | undefined,
  input: {
    protocol: Protocol
    discovery: Discovery
    redirectUrl: string
    scope: string | undefined
    fetch: Fetch
    /** The URL of our metadata, for authorization servers that read it. */
    clientId?: string | undefined
  },
): Promise<{ client: OauthClient; registration?: Registration }> {
  const { discovery, redirectUrl, scope, clientId } = input
  if (oauth?.clientId !== undefined)
    return { client: { client_id: oauth.clientId, client_secret: oauth.clientSecret } }
  if (clientId && discovery.metadata['client_id_metadata_document_supported'] === true)
    return { client: { client_id: clientId, token_endpoint_auth_method: 'none' } }
  const { issuer } = discovery
  if (record?.issuer === issuer && record.redirectUrl === redirectUrl && !isOver(record.client))
    return { client: record.client, registration: record }
  const client = await input.protocol.register(discovery, redirectUrl, scope, input.fetch)
  if (client === undefined)
    throw new AggregatorError(
      'bad_config',
      `The authorization server ${issuer} of ${qualifiedName(server)} does not support client registration.`,
      `Register a client there with the redirect URI ${redirectUrl} and add it to the configuration: "oauth": {"clientId": …, "port": ${new URL(redirectUrl).port}}.`,
    )
  return { client, registration: { issuer, redirectUrl, client } }
}

/** Client secrets can expire; 0 is never (RFC 7591). */
function isOver(client: OauthClient): boolean {
  const end = client['client_secret_expires_at']
  return typeof end === 'number' && end > 0 && end * 1_000 < Date.now()
}
