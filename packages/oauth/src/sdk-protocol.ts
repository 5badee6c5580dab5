import {
  checkResourceAllowed,
  createPrivateKeyJwtAuth,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  IssuerMismatchError,
  RegistrationRejectedError,
  registerClient,
  resolveClientMetadata,
  resourceUrlFromServerUrl,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import { timeLimit } from '#base/race-abort'
import type { HttpServer } from '#servers/config/server-config'
import { type Challenge, challengeIn } from '#servers/protocol/challenge'
import type { Fetch } from './bounded-fetch.ts'
import { type Discovery, type OauthClient, readDiscovery } from './credential.ts'
import type { SignRequest } from './token-requests.ts'

type Metadata = NonNullable<Awaited<ReturnType<typeof discoverAuthorizationServerMetadata>>>
type Registered = Parameters<typeof startAuthorization>[1]['clientInformation']

const probeMs = 15_000

/**
 * The steps of an OAuth sign-in to an MCP server, by the SDK's functions. The SDK's own `auth()` runs
 * all of them: it registers again and opens a new sign-in whenever a refresh fails for any reason.
 * `fetch` must be bounded.
 */
export type Protocol = typeof import('./sdk-protocol.ts')

/** Requests the server without a token and returns its challenge. */
export async function challengeOf(server: HttpServer, signal: AbortSignal): Promise<Challenge> {
  const init: RequestInit =
    server.type === 'sse'
      ? { headers: { ...server.headers, accept: 'text/event-stream' } }
      : {
          method: 'POST',
          headers: {
            ...server.headers,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
        }
  const eitherSignal = timeLimit(probeMs, signal)
  const response = await fetch(server.url, { ...init, redirect: 'manual', signal: eitherSignal })
  await response.body?.cancel()
  return challengeIn(response)
}

/** @throws {Error} if no authorization server is found; the message gives the reason */
export async function discover(
  serverUrl: string,
  challenge: Challenge,
  fetch: Fetch,
): Promise<Discovery> {
  const resource = await resourceMetadata(serverUrl, challenge, fetch)
  if (resource !== undefined) {
    const requestedResource = resourceUrlFromServerUrl(serverUrl)
    const configuredResource = resource.resource
    if (!checkResourceAllowed({ requestedResource, configuredResource }))
      throw new Error(
        `its metadata names the resource ${configuredResource} instead of ${requestedResource}`,
      )
  }
  const issuer = resource?.authorization_servers?.[0] ?? String(new URL('/', serverUrl))
  const metadata = await authorizationMetadata(issuer, fetch)
  if (metadata === undefined)
    throw new Error(
      resource === undefined
        ? 'it names no authorization server; it may require a header such as Authorization in "headers"'
        : `its authorization server ${issuer} has no metadata`,
    )
  return readDiscovery({
    issuer: metadata.issuer,
    metadata,
    ...(resource && { resource: resource.resource, scopes: resource.scopes_supported }),
  })
}

/** Resolves to undefined if the authorization server has no dynamic registration. */
export async function register(
  { issuer, metadata }: Discovery,
  redirectUrl: string,
  scope: string | undefined,
  fetch: Fetch,
): Promise<OauthClient | undefined> {
  if (metadata.registration_endpoint === undefined) return undefined
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['none']
  const method = ['none', 'client_secret_basic', 'client_secret_post'].find((name) =>
    supported.includes(name),
  )
  const clientMetadata = resolveClientMetadata({
    redirectUrl,
    clientMetadata: {
      client_name: 'aggregator-mcp',
      redirect_uris: [redirectUrl],
      response_types: ['code'],
      token_endpoint_auth_method: method ?? 'none',
    },
  })
  try {
    const client = await registerClient(issuer, {
      metadata: metadata as Metadata,
      clientMetadata,
      fetchFn: fetch,
      ...(scope !== undefined && { scope }),
    })
    return client as OauthClient
  } catch (error) {
    if (!RegistrationRejectedError.isInstance(error))
      throw new Error(`${issuer} answered the client registration incorrectly: ${firstLine(error)}`)
    const answer = error.body.slice(0, 200)
    throw new Error(`${issuer} rejected the client registration (${error.status}): ${answer}`)
  }
}

/** Adds a JWT of the client to a token request. */
export const signedBy = (client: {
  clientId: string
  privateKey: string
  algorithm: string
}): SignRequest => {
  const { clientId, privateKey, algorithm } = client
  const sign = createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey,
    alg: algorithm,
  })
  return async (body, { issuer, metadata }) =>
    sign(new Headers(), body, issuer, metadata as Metadata)
}

/** The URL at which the user signs in, and the PKCE code verifier. */
export async function authorize(
  { issuer, metadata, resource }: Discovery,
  client: OauthClient,
  { redirectUrl, scope, state }: { redirectUrl: string; scope: string | undefined; state: string },
): Promise<{ url: URL; verifier: string }> {
  const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
    metadata: metadata as Metadata,
    clientInformation: client as Registered,
    redirectUrl,
    state,
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  })
  return { url: authorizationUrl, verifier: codeVerifier }
}

/** @throws {Error} if `iss` is not the issuer of `discovery` (RFC 9207) */
export function checkIssuer({ issuer, metadata }: Discovery, iss: string | undefined): void {
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: issuer,
      issParameterSupported: metadata['authorization_response_iss_parameter_supported'] === true,
    } as Parameters<typeof validateAuthorizationResponseIssuer>[0])
  } catch {
    throw new Error(`the response came from another authorization server than ${issuer}`)
  }
}

/**
 * Resolves to undefined if the server has none: it may be its own authorization server, as in the
 * 2025-03-26 revision.
 */
async function resourceMetadata(
  serverUrl: string,
  { resourceMetadataUrl }: Challenge,
  fetch: Fetch,
) {
  const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }
  try {
    return await discoverOAuthProtectedResourceMetadata(serverUrl, options, fetch)
  } catch (error) {
    const { message } = error as Error
    const isAbsent = /does not implement|^HTTP 4\d\d/.test(message)
    if (isAbsent && resourceMetadataUrl === undefined) return undefined
    throw new Error(`its metadata cannot be read: ${firstLine(error)}`)
  }
}

async function authorizationMetadata(
  issuer: string,
  fetchFn: Fetch,
): Promise<Metadata | undefined> {
  try {
    return await discoverAuthorizationServerMetadata(issuer, { fetchFn })
  } catch (error) {
    if (IssuerMismatchError.isInstance(error))
      throw new Error(`the metadata of its authorization server ${issuer} names another issuer`)
    throw new Error(`the metadata of ${issuer} cannot be read: ${firstLine(error)}`)
  }
}

/** The messages of schema errors span many lines. */
function firstLine(error: unknown): string {
  const { name, message } = error as Error
  if (name === 'SyntaxError') return 'it is not valid JSON'
  return name === 'ZodError'
    ? 'required fields are missing or have the wrong type'
    : (message.split('\n', 1)[0] ?? '')
}
