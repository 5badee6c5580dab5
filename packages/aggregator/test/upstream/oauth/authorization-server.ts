import { type Authorization, authorize } from './authorize.ts'
import { createClients } from './clients.ts'
import { answerOf, type Fault } from './faults.ts'
import { isRefusal, refusal, sayRefusal } from './refusal.ts'
import { serveWeb, type silence } from './serve-web.ts'
import { type AuthorizationSettings, usualSettings } from './settings.ts'
import { createTokens, type Issued } from './tokens.ts'

export type AuthorizationEndpoint = 'metadata' | 'register' | 'authorize' | 'token' | 'revoke'

/** Notes a request that came in. */
export type Note = (endpoint: string, request: Request, fields: Record<string, string>) => void

const paths: Record<string, AuthorizationEndpoint> = {
  '/.well-known/oauth-authorization-server': 'metadata',
  '/register': 'register',
  '/authorize': 'authorize',
  '/token': 'token',
  '/revoke': 'revoke',
}

/** A strict authorization server of OAuth 2.1. */
export async function serveAuthorization(
  given: Partial<AuthorizationSettings>,
  resources: ReadonlySet<string>,
  note: Note,
) {
  const settings = { ...usualSettings(), ...given }
  const clients = createClients(settings)
  const tokens = createTokens(settings)
  const authorizations: Authorization[] = []
  const revoked: string[] = []
  const faults = new Map<AuthorizationEndpoint, Fault>()

  const endpoints: Record<
    AuthorizationEndpoint,
    (request: Request, body: string) => Response | Promise<Response>
  > = {
    metadata: () => Response.json(settings.alterMetadata(metadataOf(issuer, settings))),
    authorize: (request) =>
      authorize(request, { issuer, settings, clients, tokens, resources, authorizations }),
    register(_request, body) {
      if (!settings.registration) throw refusal('invalid_request', 'no registration here', 404)
      return Response.json(clients.register(JSON.parse(body)), { status: 201 })
    },
    async token({ headers }, body) {
      const params = new URLSearchParams(body)
      const client = clients.authenticate(headers, params)
      const type = params.get('grant_type')
      if (type !== 'authorization_code' && type !== 'refresh_token')
        throw refusal('unsupported_grant_type', String(type))
      if (!client.grant_types.includes(type)) throw refusal('unauthorized_client', type)
      const mayRefresh = client.grant_types.includes('refresh_token')
      const issued =
        type === 'refresh_token'
          ? tokens.renew(client.client_id, params)
          : tokens.redeem(client.client_id, params, mayRefresh)
      // What is slow is the answer: it is decided by now.
      await new Promise((resolve) => setTimeout(resolve, settings.tokenDelayMs))
      return Response.json(answerFor(issued, settings), { headers: noStore })
    },
    revoke({ headers }, body) {
      const params = new URLSearchParams(body)
      const client = clients.authenticate(headers, params)
      const token = params.get('token') ?? ''
      tokens.revoke(client.client_id, token)
      revoked.push(token)
      return new Response(null, { status: 200 })
    },
  }

  async function answer(request: Request): Promise<Response | typeof silence> {
    const { pathname, searchParams } = new URL(request.url)
    const endpoint = paths[pathname]
    const body = await request.text()
    const isForm = request.headers.get('content-type')?.startsWith('application/x-www-form')
    note(endpoint ?? pathname, request, {
      ...Object.fromEntries(searchParams),
      ...(isForm && Object.fromEntries(new URLSearchParams(body))),
    })
    if (endpoint === undefined) return new Response('Not found', { status: 404 })
    const fault = faults.get(endpoint)
    if (fault !== undefined) return answerOf(fault)
    try {
      return await endpoints[endpoint](request, body)
    } catch (error) {
      if (!isRefusal(error)) throw error
      return sayRefusal(error)
    }
  }

  const { origin: issuer, close } = await serveWeb(answer)
  return {
    issuer,
    settings,
    /** Endpoints that answer otherwise, from the next request on. */
    faults,
    clients,
    /** Each time that /authorize was opened. */
    authorizations,
    /** Tokens given out, in order; `by` says whether by a refresh. */
    issued: tokens.issued as readonly Issued[],
    /** Tokens that were handed to /revoke. */
    revoked,
    revokeUser: tokens.revokeUser,
    expireAccessTokens: tokens.expire,
    verify: tokens.verify,
    close,
  }
}

const noStore = { 'cache-control': 'no-store' }

const metadataOf = (issuer: string, settings: AuthorizationSettings): Record<string, unknown> => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  revocation_endpoint: `${issuer}/revoke`,
  ...(settings.registration && { registration_endpoint: `${issuer}/register` }),
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  scopes_supported: settings.scopes,
  authorization_response_iss_parameter_supported: settings.tellsIssuer,
  ...(settings.metadataDocuments && { client_id_metadata_document_supported: true }),
})

const answerFor = (
  { accessToken, refreshToken, scopes }: Issued,
  { accessTokenMs, tellsExpiry }: AuthorizationSettings,
): Record<string, unknown> => ({
  access_token: accessToken,
  token_type: 'Bearer',
  ...(tellsExpiry && { expires_in: Math.ceil(accessTokenMs / 1_000) }),
  ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  scope: scopes.join(' '),
})
