import type { Callers, ProfileSettings } from './profile-settings.ts'
import type { ServerConfig } from './server-config.ts'

/** The part of the configuration that can be replaced at runtime. */
export interface Configured {
  servers: readonly ServerConfig[]
  /** Names of disabled servers. */
  disabled?: readonly string[] | undefined
  profiles?: Readonly<Record<string, ProfileSettings>> | undefined
  /** If set, only these callers are accepted. */
  callers?: Callers | undefined
}

/** Names of servers; `SERVER@ACCOUNT` for a server with accounts. */
export interface Replaced {
  added: string[]
  removed: string[]
  changed: string[]
}
