import type { ServerConfig } from '../config/server-config.ts'
import { createProfile, type Profile, type ProfileSettings } from './profile.ts'

/** Who a client is, as far as it matters to what it may do. */
export interface Access {
  /** As configured, by whose token it came. */
  readonly caller?: string | undefined
  readonly profile?: string | undefined
  /** The caller is none of the configuration's: who let it in knows it. */
  readonly isGuest?: boolean | undefined
}

/** Those who come with a token, by name. */
export type Callers = Readonly<Record<string, { profile?: string | undefined }>>

/** Who may see what, with the servers there are now. */
export interface Profiles {
  /** Of a profile that is not there any more, nothing. */
  of(access: Access | undefined): Profile
}

export function createProfiles(
  settings: Readonly<Record<string, ProfileSettings>>,
  servers: readonly ServerConfig[],
  callers?: Callers,
): Profiles {
  const all = createProfile(undefined, {}, servers)
  const profiles = new Map(
    Object.entries(settings).map(([name, one]) => [name, createProfile(name, one, servers)]),
  )
  const none = createProfile('', { servers: [] }, servers)
  return {
    of(access) {
      const { caller, isGuest = false } = access ?? {}
      const isConfigured = caller !== undefined && !isGuest
      const own = isConfigured ? callers?.[caller] : undefined
      // Who was taken out of the configuration may still be connected.
      if (isConfigured && callers !== undefined && own === undefined) return none
      const name = own?.profile ?? access?.profile
      return name === undefined ? all : (profiles.get(name) ?? none)
    },
  }
}
