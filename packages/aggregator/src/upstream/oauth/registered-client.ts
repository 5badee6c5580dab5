import type { HttpServer } from '../../config/server-config.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { unitName } from '../../protocol/unit.ts'
import type { Fetch } from './bounded-fetch.ts'
import type { Credential, Discovery, OauthClient, Registration } from './credential.ts'
import type { Protocol } from './protocol.ts'

/** Where the listener should be so that the client need not be registered anew; 0 is anywhere. */
export function wantedPort({ oauth }: HttpServer, kept: Credential | undefined): number {
  const known = oauth?.clientId === undefined ? kept?.registration?.redirectUrl : undefined
  return oauth?.port ?? (known === undefined ? 0 : Number(new URL(known).port))
}

/**
 * The issuer that a configured secret is for: the one that is configured, else the first one that was
 * seen. Undefined without a secret.
 * @throws {AggregatorError} `bad_config` for another one: whoever runs the server names it
 */
export function boundIssuer(
  server: HttpServer,
  { issuer }: Discovery,
  kept: Credential | undefined,
): string | undefined {
  const { oauth } = server
  const isSecret = oauth?.clientId !== undefined && oauth.clientSecret !== undefined
  if (!isSecret && oauth?.issuer === undefined) return undefined
  const bound = oauth?.issuer ?? kept?.issuer ?? kept?.grant?.discovery.issuer
  if (bound === undefined || isSameIssuer(bound, issuer)) return bound ?? issuer
  throw new AggregatorError(
    'bad_config',
    `${unitName(server)} names the authorization server ${issuer}, and ${isSecret ? 'the configured clientSecret is for' : 'what is configured is'} ${bound}. Nothing was sent.`,
    `If the server has moved, and you trust it, write "oauth": {"issuer": ${JSON.stringify(issuer)}} into its configuration.`,
  )
}

/** But for a `/` at the end. */
export const isSameIssuer = (one: string, other: string): boolean =>
  one.replace(/\/$/, '') === other.replace(/\/$/, '')

/**
 * Who we are to an authorization server: as configured, as registered before for this very address
 * of ours, or registered now.
 * @throws {AggregatorError} `bad_config` where it lets nobody register
 */
export async function registeredClient(
  { oauth, ...server }: HttpServer,
  kept: Registration | undefined,
  given: {
    protocol: Protocol
    discovery: Discovery
    redirectUrl: string
    scope: string | undefined
    fetch: Fetch
  },
): Promise<{ client: OauthClient; registration?: Registration }> {
  const { discovery, redirectUrl, scope } = given
  if (oauth?.clientId !== undefined)
    return { client: { client_id: oauth.clientId, client_secret: oauth.clientSecret } }
  const { issuer } = discovery
  if (kept?.issuer === issuer && kept.redirectUrl === redirectUrl && !isOver(kept.client))
    return { client: kept.client, registration: kept }
  const client = await given.protocol.register(discovery, redirectUrl, scope, given.fetch)
  if (client === undefined)
    throw new AggregatorError(
      'bad_config',
      `${issuer}, where ${unitName(server)} sends users to sign in, lets no client register itself.`,
      `Register one there with a redirect to ${redirectUrl} and name it in the configuration: "oauth": {"clientId": …, "port": ${new URL(redirectUrl).port}}.`,
    )
  return { client, registration: { issuer, redirectUrl, client } }
}

/** Secrets of clients can end; 0 is never. */
function isOver(client: OauthClient): boolean {
  const end = client['client_secret_expires_at']
  return typeof end === 'number' && end > 0 && end * 1_000 < Date.now()
}
