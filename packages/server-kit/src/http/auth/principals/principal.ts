/**
 * `mcp`: use MCP. `console:read`: read all data of the console. `console`: also change it, except for
 * what is started and who may enter, which needs `console:admin`.
 */
export type Scope = 'mcp' | 'console:read' | 'console' | 'console:admin'

/** All scopes, from the weakest to the strongest. */
export const allScopes: readonly Scope[] = ['mcp', 'console:read', 'console', 'console:admin']

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
 * Each console scope includes the weaker ones. A principal with a profile gets none of them: the
 * console shows all profiles.
 */
export function scopesOf(names: Iterable<Scope>, profile?: string | undefined): ReadonlySet<Scope> {
  const requested = new Set(names)
  if (profile !== undefined) return new Set(requested.has('mcp') ? ['mcp'] : [])
  const strongest = allScopes.findLastIndex((scope) => requested.has(scope))
  return new Set(
    allScopes.filter((scope, at) => (scope === 'mcp' ? requested.has(scope) : at <= strongest)),
  )
}

/** For the log. */
export const labelOf = ({ kind, name }: Principal): string =>
  name === undefined ? kind : `${kind} ${name}`
