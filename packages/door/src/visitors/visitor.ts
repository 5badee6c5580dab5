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
  /** Of a stored token. */
  readonly id?: string | undefined
  /** Milliseconds since 1970. */
  readonly validUntil?: number | undefined
}

/** Who may change may look. */
export function scopesOf(given: Iterable<Scope>): ReadonlySet<Scope> {
  const scopes = new Set(given)
  if (scopes.has('console')) scopes.add('console:read')
  return scopes
}

/** For those who keep the door. */
export const labelOf = ({ kind, name }: Visitor): string =>
  name === undefined ? kind : `${kind} ${name}`
