import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Access } from '@pith-mcp/aggregator'

/** Who may come in, as it is configured now. */
export interface Door {
  /** Of whoever may do everything. */
  token: string | undefined
  callers: Readonly<Record<string, { token: string; profile?: string | undefined }>>
  /** The one profile of this process, if it has one. */
  onlyProfile: string | undefined
  /** Of those who name none. */
  defaultProfile: string | undefined
  profiles: readonly string[]
  /** Nobody comes in without a token. */
  isLocked: boolean
}

export type Admission = { access: Access } | { status: 401 | 404; text: string }

/** MCP is served here; a profile stands behind it. */
export const path = '/mcp'

/**
 * Who asks, by the token and the address of the request. A profile that someone may not use is
 * answered as one that is not there.
 */
export function admit(
  { url, headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  door: Door,
): Admission {
  const [, wanted] = /^\/mcp(?:\/([\w-]+))?\/?$/.exec(url?.split('?')[0] ?? '') ?? ['', null]
  if (wanted === null) return nothingHere
  const { token, callers } = door
  const given = bearerIn(headers)
  const owner = token !== undefined && given !== undefined && isSame(given, token)
  const caller = given === undefined ? undefined : callerOf(given, callers)
  if (door.isLocked && !owner && caller === undefined)
    return { status: 401, text: 'A bearer token is needed.' }
  const own = caller === undefined ? undefined : callers[caller]?.profile
  const profile = own ?? door.onlyProfile ?? wanted ?? door.defaultProfile
  const isTheirs = wanted === undefined || wanted === profile
  const isThere = profile === undefined || door.profiles.includes(profile)
  // A caller's profile beside that of the process would be more than the process may show.
  const isWithin = door.onlyProfile === undefined || profile === door.onlyProfile
  if (!isTheirs || !isThere || !isWithin) return nothingHere
  return { access: { caller, profile } }
}

const nothingHere = {
  status: 404,
  text: `There is nothing here; MCP is served at ${path}.`,
} as const

function bearerIn({ authorization }: IncomingMessage['headers']): string | undefined {
  return /^Bearer\s+(.+)$/i.exec(authorization ?? '')?.[1]
}

/** All are compared, so that the time does not tell how near one was. */
function callerOf(given: string, callers: Door['callers']): string | undefined {
  const matching = Object.entries(callers).filter(([, { token }]) => isSame(given, token))
  return matching[0]?.[0]
}

function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
