/** `mcp`: what clients do. `console:read`: to look at how it is run. `console`: to change that. */
export type Scope = 'mcp' | 'console:read' | 'console'

export const allScopes: readonly Scope[] = ['mcp', 'console:read', 'console']

/** Who asks, as far as the door knows. */
export interface Visitor {
  /** By what they were let in; `anyone` where nothing is asked for. */
  readonly kind: 'anyone' | 'owner' | 'caller' | 'token' | 'jwt' | 'session'
  readonly name?: string | undefined
  /** The only one they may use. */
  readonly profile?: string | undefined
  readonly scopes: ReadonlySet<Scope>
  /** Of a stored token, or of the user of an access token: names need not tell them apart. */
  readonly id?: string | undefined
  /** Milliseconds since 1970. */
  readonly validUntil?: number | undefined
}

/** Who may change may look. The console shows all profiles: it is not for those who have one. */
export function scopesOf(given: Iterable<Scope>, profile?: string | undefined): ReadonlySet<Scope> {
  const scopes = new Set(given)
  if (scopes.has('console')) scopes.add('console:read')
  if (profile !== undefined)
    for (const scope of ['console', 'console:read'] as const) scopes.delete(scope)
  return scopes
}

/** For those who keep the door. */
export const labelOf = ({ kind, name }: Visitor): string =>
  name === undefined ? kind : `${kind} ${name}`
