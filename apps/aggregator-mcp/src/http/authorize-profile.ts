import { type Access, type Mode, modes } from '@pith-mcp/aggregator'
import { type Principal, RejectedError } from '@pith-mcp/server-kit'

/** The profiles of the current configuration. */
export interface ProfileRules {
  /** The profile that this process is limited to (--profile). */
  onlyProfile: string | undefined
  /** The profile of callers that request none. */
  defaultProfile: string | undefined
  profiles: readonly string[]
}

/** Where MCP is served; a profile may follow, as in `/mcp/support`. */
export const path = '/mcp'

export const notFoundText = `Not found. MCP is served at ${path}.`

const address = /^\/mcp(?:\/([\w-]+))?\/?$/

const isMode = (text: string): text is Mode => (modes as readonly string[]).includes(text)

export const isMcpPath = (requested: string): boolean => address.test(requested)

/**
 * Resolve what a principal may access at a URL, and the mode that `?mode=` requests. A profile that the principal may not use gets the
 * same 404 as one that does not exist.
 * @throws {RejectedError}
 */
export function authorizeProfile(
  url: string | undefined,
  principal: Principal,
  rules: ProfileRules,
): Access {
  const [pathOnly = '', query = ''] = url?.split('?', 2) ?? []
  const requested = address.exec(pathOnly)?.[1]
  const mode = new URLSearchParams(query).get('mode') ?? undefined
  if (mode !== undefined && !isMode(mode))
    throw new RejectedError('mode', 400, `The mode of a URL is one of ${modes.join(', ')}.`)
  const { onlyProfile } = rules
  const profile = principal.profile ?? onlyProfile ?? requested ?? rules.defaultProfile
  const isAllowed = requested === undefined || requested === profile
  const exists = profile === undefined || rules.profiles.includes(profile)
  // Another profile could expose more than this process may show.
  const isWithin = onlyProfile === undefined || profile === onlyProfile
  if (!isAllowed || !exists || !isWithin)
    throw new RejectedError('profile', 404, notFoundText, { principal: callerOf(principal) })
  // Configured callers have plain names; a prefix keeps tokens and JWTs apart from them.
  const isGuest = principal.kind === 'token' || principal.kind === 'jwt'
  return {
    caller: callerOf(principal),
    profile,
    ...(isGuest && { isGuest }),
    ...(mode && { mode }),
  }
}

/** Includes the id: names may be reused, or shared by several tokens. */
function callerOf({ kind, name, id }: Principal): string | undefined {
  if (kind === 'caller') return name
  return kind === 'token' || kind === 'jwt' ? `${kind}:${name ?? ''}#${id ?? ''}` : undefined
}
