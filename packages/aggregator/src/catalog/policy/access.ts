import type { ProfileSettings } from '#servers/config/profile-settings'
import type { Callers, ServerConfig } from '#servers/config/server-config'
import type { Access } from '#servers/protocol/request-context'
import { createProfile } from './profile.ts'

/** Profiles of clients, for the current servers. */
export type Profiles = ReturnType<typeof createProfiles>

export function createProfiles(
  settings: Readonly<Record<string, ProfileSettings>>,
  servers: readonly ServerConfig[],
  callers?: Callers,
) {
  const all = createProfile(undefined, {}, servers)
  const profiles = new Map(
    Object.entries(settings).map(([name, entry]) => [name, createProfile(name, entry, servers)]),
  )
  const none = createProfile('', { servers: [] }, servers)
  return {
    /** The profile of a client; empty if the profile no longer exists. */
    of(access: Access | undefined) {
      const { caller, isGuest = false } = access ?? {}
      const isConfigured = caller !== undefined && !isGuest
      const entry = isConfigured ? callers?.[caller] : undefined
      // A caller that was removed from the configuration may still be connected.
      if (isConfigured && callers !== undefined && entry === undefined) return none
      const name = entry?.profile ?? access?.profile
      return name === undefined ? all : (profiles.get(name) ?? none)
    },
  }
}
