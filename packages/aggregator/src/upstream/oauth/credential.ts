import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isJsonObject } from '../../protocol/message.ts'
import { safeName } from '../../protocol/safe-name.ts'
import { type Unit, unitName } from '../../protocol/unit.ts'

const client: z.ZodType<OauthClient> = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  token_endpoint_auth_method: z.string().optional(),
})

const discovery: z.ZodType<Discovery> = z.object({
  issuer: z.string(),
  metadata: z.looseObject({
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    registration_endpoint: z.string().optional(),
    revocation_endpoint: z.string().optional(),
    scopes_supported: z.array(z.string()).optional(),
    token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  }),
  resource: z.string().optional(),
  scopes: z.array(z.string()).optional(),
})

const tokens: z.ZodType<Tokens> = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  scope: z.string().optional(),
  expiresAt: z.number().optional(),
})

const current = z.object({
  /** Our client registration at an authorization server. */
  registration: z.object({ issuer: z.string(), redirectUrl: z.string(), client }).optional(),
  /** A user's grant, with all that a refresh needs. */
  grant: z.object({ tokens, client, discovery, grantedAt: z.number() }).optional(),
  /** Scopes that the server requires in addition to those granted. */
  requestedScope: z.string().optional(),
  /** The authorization server that the configured secret belongs to. */
  issuer: z.string().optional(),
})

/** Stored for one server and account. */
export const credential: z.ZodType<Credential> = z.preprocess((stored) => {
  if (!isJsonObject(stored) || stored['wantedScope'] === undefined) return stored
  const { wantedScope, ...rest } = stored
  return { ...rest, requestedScope: wantedScope }
}, current)

/** Milliseconds since 1970. */
export interface Credential {
  registration?: Registration | undefined
  grant?: Grant | undefined
  requestedScope?: string | undefined
  issuer?: string | undefined
}

export interface Grant {
  tokens: Tokens
  client: OauthClient
  discovery: Discovery
  /** Issuer identifier of the authorization server. */
  grantedAt: number
}

export interface Registration {
  issuer: string
  redirectUrl: string
  client: OauthClient
}

export interface OauthClient {
  client_id: string
  client_secret?: string | undefined
  token_endpoint_auth_method?: string | undefined
  [more: string]: unknown
}

export interface Discovery {
  /** Metadata of the authorization server, unchanged. */
  issuer: string
  /** The resource indicator of the MCP server; not every server has one. */
  metadata: {
    authorization_endpoint: string
    token_endpoint: string
    registration_endpoint?: string | undefined
    revocation_endpoint?: string | undefined
    scopes_supported?: string[] | undefined
    token_endpoint_auth_methods_supported?: string[] | undefined
    [more: string]: unknown
  }
  /** Scopes that the MCP server advertises. */
  resource?: string | undefined
  /** Local time; undefined if the server does not say. */
  scopes?: string[] | undefined
}

export interface Tokens {
  accessToken: string
  refreshToken?: string | undefined
  scope?: string | undefined
  /** Identifies a credential by unit and address: credentials are never shared between them. */
  expiresAt?: number | undefined
}

export const readDiscovery = (value: unknown): Discovery => discovery.parse(value)

/** Origin and path of the server's URL. */
export interface CredentialKey {
  unit: string
  /** A unique file name for a credential key. */
  address: string
}

export function keyOf(server: Unit & { url: string }): CredentialKey {
  const { origin, pathname } = new URL(server.url)
  return { unit: unitName(server), address: origin + pathname }
}

/** All scopes of all arguments, without duplicates, in order. */
export function nameOfKey({ unit, address }: CredentialKey): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([unit, address]))
    .digest('hex')
  return `${safeName(unit)}.${hash.slice(0, 16)}`
}

/** All scopes of both, in order. */
export function unionOf(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = scopes.flatMap((scope) => scope?.split(' ').filter((one) => one !== '') ?? [])
  return all.length === 0 ? undefined : [...new Set(all)].join(' ')
}
