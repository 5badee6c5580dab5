import type { Principal } from '@pith-mcp/server-kit'

/** Who does what is recorded, and from where. */
export interface Actor {
  caller: string
  via: 'console' | 'api'
}

/** The name of a principal in records: `owner`, the name of a caller, or `<kind>:<name>#<id>`. */
export function actorOf({ kind, name, id }: Principal): Actor {
  const via = kind === 'session' ? 'console' : 'api'
  if (name === undefined) return { caller: kind === 'session' ? 'owner' : kind, via }
  return { caller: id === undefined ? name : `${kind}:${name}#${id}`, via }
}
