/** `mcp`: use MCP. `console:read`: read all data of the console. `console`: also change it. */
export type Scope = 'mcp' | 'console:read' | 'console'

/** All scopes, from the weakest to the strongest. */
export const allScopes: readonly Scope[] = ['mcp', 'console:read', 'console']

/** Who sends a request. */
export interface Principal {
  /** The kind of credential; `anyone` if none is required. */
  readonly kind: 'anyone' | 'owner' | 'caller' | 'token' | 'jwt' | 'session'
  readonly name?: string | undefined
  /** The only profile it may use. */
  readonly profile?: string | undefined
  readonly scopes: ReadonlySet<Scope>
  /** Id of a stored token, or of the user of an access token: names need not be unique. */
  readonly id?: string | undefined
  /** Milliseconds since 1970. */
  readonly validUntil?: number | undefined
}

/**
 * `console` includes `console:read`. A principal with a profile gets neither: the console shows all
 * profiles.
 */
export function scopesOf(names: Iterable<Scope>, profile?: string | undefined): ReadonlySet<Scope> {
  const scopes = new Set(names)
  if (scopes.has('console')) scopes.add('console:read')
  if (profile !== undefined)
    for (const scope of ['console', 'console:read'] as const) scopes.delete(scope)
  return scopes
}

/** For the log. */
export const labelOf = ({ kind, name }: Principal): string =>
  name === undefined ? kind : `${kind} ${name}`
