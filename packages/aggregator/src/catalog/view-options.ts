import type { ServerConfig } from '#servers/config/server-config'
import type { JsonObject } from '#servers/protocol/message'
import type { Catalog } from './catalog.ts'
import type { CatalogEntry } from './entries/catalog-entry.ts'
import type { Profile } from './policy/profile.ts'
import type { Trust } from './trust/trust.ts'

/** A server of the profile, with the entries of its accounts, the default first. */
export interface Known {
  server: ServerConfig
  units: readonly { unit: ServerConfig; entry: CatalogEntry }[]
  /** The unit with the default account. */
  standard: ServerConfig
}

export interface ViewOptions {
  catalog: Catalog
  trust: Trust
  profile: Profile
  /** Of the client. */
  capabilities: JsonObject
  /** Names of tools and prompts are prefixed with the name of their server. */
  withServer: boolean
  /** Names that tools of servers must not have. */
  reserved: readonly string[]
  /** First owner of each name: a name does not move to another owner. */
  claims?: Map<string, string> | undefined
}
