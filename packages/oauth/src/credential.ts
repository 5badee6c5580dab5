import { hash } from 'node:crypto'
import { z } from 'zod'
import { qualifiedName, type ServerAccount, safeName } from '#servers/protocol/server-account'

const client = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  token_endpoint_auth_method: z.string().optional(),
})

const discovery = z.object({
  /** Issuer identifier of the authorization server. */
  issuer: z.string(),
  /** Metadata of the authorization server, unchanged. */
  metadata: z.looseObject({
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    registration_endpoint: z.string().optional(),
    revocation_endpoint: z.string().optional(),
    scopes_supported: z.array(z.string()).optional(),
    token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  }),
  /** The resource indicator of the MCP server; not every server has one. */
  resource: z.string().optional(),
  /** Scopes that the MCP server advertises. */
  scopes: z.array(z.string()).optional(),
})

const tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  scope: z.string().optional(),
  /** Local time; undefined if the server does not say. */
  expiresAt: z.number().optional(),
})

/** Our client registration at an authorization server. */
const registration = z.object({ issuer: z.string(), redirectUrl: z.string(), client })

/** A user's grant, with all that a refresh needs. */
const grant = z.object({ tokens, client, discovery, grantedAt: z.number() })

/** Stored for one server and account. */
export const credential = z.object({
  registration: registration.optional(),
  grant: grant.optional(),
  /** Scopes that the server requires in addition to those granted. */
  requestedScope: z.string().optional(),
  /** The authorization server that the configured secret belongs to. */
  issuer: z.string().optional(),
})

/** Times are milliseconds since 1970. */
export type Credential = z.output<typeof credential>
export type Grant = z.output<typeof grant>
export type Registration = z.output<typeof registration>
export type OauthClient = z.output<typeof client>
export type Discovery = z.output<typeof discovery>
export type Tokens = z.output<typeof tokens>

export const readDiscovery = (value: unknown): Discovery => discovery.parse(value)

/** Identifies a credential by unit and address: credentials are never shared between them. */
export interface CredentialKey {
  unit: string
  /** Origin and path of the server's URL. */
  address: string
}

export function keyOf(server: ServerAccount & { url: string }): CredentialKey {
  const { origin, pathname } = new URL(server.url)
  return { unit: qualifiedName(server), address: origin + pathname }
}

/** A unique file name for a credential key. */
export function nameOfKey({ unit, address }: CredentialKey): string {
  const digest = hash('sha256', JSON.stringify([unit, address]), 'hex')
  return `${safeName(unit)}.${digest.slice(0, 16)}`
}

/** All scopes of all arguments, without duplicates, in order. */
export function unionOf(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = scopes.flatMap((scope) => scope?.split(' ').filter((name) => name !== '') ?? [])
  return all.length === 0 ? undefined : [...new Set(all)].join(' ')
}
