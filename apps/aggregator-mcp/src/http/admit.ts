import type { Access } from '@pith-mcp/aggregator'
import { RefusedError, type Visitor } from '@pith-mcp/door'

/** Which profiles there are, as it is configured now. */
export interface ProfileRules {
  /** The one profile of this process, if it has one. */
  onlyProfile: string | undefined
  /** Of those who name none. */
  defaultProfile: string | undefined
  profiles: readonly string[]
}

/** MCP is served here; a profile stands behind it. */
export const path = '/mcp'

export const nothingHere = `There is nothing here; MCP is served at ${path}.`

const address = /^\/mcp(?:\/([\w-]+))?\/?$/

export const isMcpPath = (asked: string): boolean => address.test(asked)

/**
 * What a visitor may see at an address. A profile that someone may not use is answered as one that
 * is not there. @throws {RefusedError}
 */
export function admit(url: string | undefined, visitor: Visitor, rules: ProfileRules): Access {
  const wanted = address.exec(url?.split('?', 1)[0] ?? '')?.[1]
  const { onlyProfile } = rules
  const profile = visitor.profile ?? onlyProfile ?? wanted ?? rules.defaultProfile
  const isTheirs = wanted === undefined || wanted === profile
  const isThere = profile === undefined || rules.profiles.includes(profile)
  // A visitor's profile beside that of the process would be more than the process may show.
  const isWithin = onlyProfile === undefined || profile === onlyProfile
  if (!isTheirs || !isThere || !isWithin)
    throw new RefusedError('profile', 404, nothingHere, { who: callerOf(visitor) })
  // Those of the configuration have plain names, so that none of the others is taken for them.
  const isGuest = visitor.kind === 'token' || visitor.kind === 'jwt'
  return { caller: callerOf(visitor), profile, ...(isGuest && { isGuest }) }
}

/** By what it is, not by what it is called: a name may be given again, or stand for several. */
function callerOf({ kind, name, id }: Visitor): string | undefined {
  if (kind === 'caller') return name
  return kind === 'token' || kind === 'jwt' ? `${kind}:${name ?? ''}#${id ?? ''}` : undefined
}
