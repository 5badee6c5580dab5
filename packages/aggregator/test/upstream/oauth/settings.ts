/** What may be changed at any time; it counts from the next request on. */
export interface AuthorizationSettings {
  /** Who can sign in. The first does where the browser does not say who is signed in. */
  users: string[]
  scopes: string[]
  accessTokenMs: number
  /** Says `expires_in` with tokens. */
  tellsExpiry: boolean
  /** `rotating`: each can be used once; a second use ends all that came of the same sign-in. */
  refreshTokens: 'rotating' | 'lasting' | 'none'
  /** Clients may register themselves. */
  registration: boolean
  /** Client ID metadata documents by address, as if they had been fetched; none: not supported. */
  metadataDocuments: Record<string, Partial<Client>> | undefined
  /** Takes any port of a loopback redirect URI, as RFC 8252 asks. */
  anyLoopbackPort: boolean
  /** Names itself in the callback, and announces that it does. */
  tellsIssuer: boolean
  /** How long the token endpoint takes, so that refreshes can overlap. */
  tokenDelayMs: number
  /** What a user grants of the scopes asked for; `undefined` refuses. */
  consent: (user: string, scopes: string[]) => string[] | undefined
  /** Changes the metadata before they are sent. */
  alterMetadata: (metadata: Record<string, unknown>) => unknown
  /** Changes the callback before the browser is sent there. */
  alterCallback: (callback: URL) => void
}

export const usualSettings = (): AuthorizationSettings => ({
  users: ['alice', 'bob'],
  scopes: ['mcp', 'publish'],
  accessTokenMs: 3_600_000,
  tellsExpiry: true,
  refreshTokens: 'rotating',
  registration: true,
  metadataDocuments: undefined,
  anyLoopbackPort: false,
  tellsIssuer: true,
  tokenDelayMs: 0,
  consent: (_user, scopes) => scopes,
  alterMetadata: (metadata) => metadata,
  alterCallback: () => {},
})

export interface Client {
  client_id: string
  client_secret?: string
  redirect_uris: string[]
  grant_types: string[]
  token_endpoint_auth_method: string
  client_name?: string
}
