import type { Callers, ProfileSettings } from './profile-settings.ts'
import type { ServerConfig } from './server-config.ts'

/** What can be replaced while all else goes on. */
export interface Configured {
  servers: readonly ServerConfig[]
  /** Names of servers that are switched off. */
  disabled?: readonly string[] | undefined
  profiles?: Readonly<Record<string, ProfileSettings>> | undefined
  /** Of whom nobody else is let in, if it is given. */
  callers?: Callers | undefined
}

/** Names of servers, with the account where there are several. */
export interface Replaced {
  added: string[]
  removed: string[]
  changed: string[]
}
