import { createHash } from 'node:crypto'
import { z } from 'zod'
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

export const credential: z.ZodType<Credential> = z.object({
  /** How we are known to an authorization server. */
  registration: z.object({ issuer: z.string(), redirectUrl: z.string(), client }).optional(),
  /** What a user granted, with all that is needed to renew it. */
  grant: z.object({ tokens, client, discovery, grantedAt: z.number() }).optional(),
  /** Scopes that were asked for beyond what was granted. */
  wantedScope: z.string().optional(),
  /** The authorization server that a configured secret is for. */
  issuer: z.string().optional(),
})

/** What is kept for one server and account. */
export interface Credential {
  registration?: Registration | undefined
  grant?: Grant | undefined
  wantedScope?: string | undefined
  issuer?: string | undefined
}

export interface Grant {
  tokens: Tokens
  client: OauthClient
  discovery: Discovery
  /** Milliseconds since 1970. */
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
  /** Of the authorization server. */
  issuer: string
  /** Its metadata, as they were given. */
  metadata: {
    authorization_endpoint: string
    token_endpoint: string
    registration_endpoint?: string | undefined
    revocation_endpoint?: string | undefined
    scopes_supported?: string[] | undefined
    token_endpoint_auth_methods_supported?: string[] | undefined
    [more: string]: unknown
  }
  /** The name the server goes by there; not every server has one. */
  resource?: string | undefined
  /** What the server announces. */
  scopes?: string[] | undefined
}

export interface Tokens {
  accessToken: string
  refreshToken?: string | undefined
  scope?: string | undefined
  /** By our clock; undefined where the server does not say. */
  expiresAt?: number | undefined
}

export const readDiscovery = (value: unknown): Discovery => discovery.parse(value)

/** Whose credential: never that of another server, account or address. */
export interface CredentialKey {
  unit: string
  /** Origin and path. */
  address: string
}

export function keyOf(server: Unit & { url: string }): CredentialKey {
  const { origin, pathname } = new URL(server.url)
  return { unit: unitName(server), address: origin + pathname }
}

/** Unlike for all that differ, and fit to be a file name. */
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
