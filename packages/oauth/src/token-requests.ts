import { z } from 'zod'
import type { Fetch } from './bounded-fetch.ts'
import type { Discovery, Grant, OauthClient, Tokens } from './credential.ts'

/** An OAuth error response, with its code. */
export class OauthRefusal extends Error {
  override readonly name = 'OauthRefusal'
  readonly code: string

  constructor(code: string, description: unknown) {
    // Shown in terminals and to models.
    const detail = typeof description === 'string' ? `: ${clean(description).slice(0, 200)}` : ''
    super(`${clean(code)}${detail}`)
    this.code = code
  }
}

/** Replaces control characters and invisible or bidirectional formatting. */
const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()

const answer = z.object({
  access_token: z.string().min(1),
  token_type: z.string().optional(),
  expires_in: z.coerce.number().optional().catch(undefined),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
})

interface TokenRequest {
  discovery: Discovery
  client: OauthClient
  fetch: Fetch
  /** Authenticates the client instead of a secret. */
  sign?: SignRequest
}

export type SignRequest = (body: URLSearchParams, discovery: Discovery) => Promise<void> | void

/**
 * @throws {OauthRefusal} if the server rejects the code; other errors mean that it did not answer
 */
export async function redeemCode(
  request: TokenRequest,
  codeGrant: { code: string; verifier: string; redirectUrl: string; scope: string | undefined },
): Promise<Tokens> {
  const tokens = await requestTokens(request, {
    grant_type: 'authorization_code',
    code: codeGrant.code,
    code_verifier: codeGrant.verifier,
    redirect_uri: codeGrant.redirectUrl,
  })
  // RFC 6749: a response without a scope grants the requested one.
  return { ...tokens, scope: tokens.scope ?? codeGrant.scope }
}

/**
 * The refreshed tokens; a missing refresh token or scope keeps its value. @throws {OauthRefusal}
 */
export async function renewTokens(
  { discovery, client, tokens }: Grant,
  fetch: Fetch,
): Promise<Tokens> {
  const { refreshToken = '', scope } = tokens
  const request = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const next = await requestTokens({ discovery, client, fetch }, request)
  return { ...next, refreshToken: next.refreshToken ?? refreshToken, scope: next.scope ?? scope }
}

/** RFC 7009. Resolves to false if the server has no revocation endpoint. */
export async function revokeTokens(
  { discovery, client, tokens }: Grant,
  fetch: Fetch,
): Promise<boolean> {
  const endpoint = discovery.metadata.revocation_endpoint
  if (endpoint === undefined) return false
  const { refreshToken, accessToken } = tokens
  const fields = {
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
  }
  const response = await post(endpoint, { discovery, client, fetch }, fields)
  if (!response.ok) throw await refusalOf(response)
  return true
}

/** @throws {OauthRefusal} */
export async function requestTokens(
  request: TokenRequest,
  fields: Record<string, string>,
): Promise<Tokens> {
  const { metadata, resource } = request.discovery
  const all = { ...fields, ...(resource !== undefined && { resource }) }
  const askedAt = Date.now()
  const response = await post(metadata.token_endpoint, request, all)
  if (!response.ok) throw await refusalOf(response)
  const body: unknown = await response.json().catch(() => undefined)
  const parsed = answer.safeParse(body)
  if (!parsed.success) {
    // Some servers report errors with status 200.
    const { error } = (body ?? {}) as { error?: unknown }
    if (typeof error === 'string') throw new OauthRefusal(error, undefined)
    throw new Error(`${new URL(metadata.token_endpoint).origin} answered without a token`)
  }
  const { access_token, refresh_token, scope, expires_in } = parsed.data
  const expiresAt = expires_in === undefined ? undefined : askedAt + expires_in * 1_000
  return { accessToken: access_token, refreshToken: refresh_token, scope, expiresAt }
}

async function post(
  url: string,
  { discovery, client, fetch, sign }: TokenRequest,
  fields: Record<string, string>,
): Promise<Response> {
  const body = new URLSearchParams(fields)
  const headers = new Headers({ accept: 'application/json' })
  const { client_id, client_secret } = client
  if (sign) await sign(body, discovery)
  else if (methodOf(client, discovery) === 'client_secret_basic') {
    const pair = [client_id, client_secret ?? ''].map(formEncoded).join(':')
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  } else {
    body.set('client_id', client_id)
    if (client_secret !== undefined) body.set('client_secret', client_secret)
  }
  return fetch(url, { method: 'POST', headers, body, redirect: 'error' })
}

/** The registered method, or one that the server supports; all servers must support basic. */
function methodOf(client: OauthClient, { metadata }: Discovery): string {
  if (client.client_secret === undefined) return 'none'
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const registered = client.token_endpoint_auth_method
  if (registered?.startsWith('client_secret_')) return registered
  return supported.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post'
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

/** An OAuth error for a rejection, any other error if the server failed. */
async function refusalOf(response: Response): Promise<Error> {
  const body: unknown = await response.json().catch(() => undefined)
  const { error, error_description } = (body ?? {}) as Record<string, unknown>
  const isRefusal = response.status < 500 && response.status !== 429 && typeof error === 'string'
  if (isRefusal) return new OauthRefusal(error.slice(0, 100), error_description)
  return new Error(`the authorization server answered with status ${response.status}`)
}
