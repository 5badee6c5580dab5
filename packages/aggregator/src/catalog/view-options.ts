import type { ServerConfig } from '../config/server-config.ts'
import type { Catalog } from './catalog.ts'
import type { CatalogEntry } from './entries/catalog-entry.ts'
import type { Profile } from './policy/profile.ts'
import type { Trust } from './trust/trust.ts'

/** A server of the profile, and what is known of it with each account, the default first. */
export interface Known {
  server: ServerConfig
  units: readonly { unit: ServerConfig; entry: CatalogEntry }[]
  /** The one with the default account. */
  standard: ServerConfig
}

export interface ViewOptions {
  catalog: Catalog
  trust: Trust
  profile: Profile
  abilities: string
  /** Names of tools and prompts begin with the name of their server. */
  withServer: boolean
  /** Names that tools of servers must not have. */
  reserved: readonly string[]
  /** Whose a name was first: it does not become that of another. */
  claims?: Map<string, string> | undefined
}
