import type { Table } from '../files/table.ts'
import type { Launch } from './entries/launch.ts'
import type { ConfigLocation, HostEnvironment, Scope } from './locations/location.ts'

/** Where a client stores its servers, and in which format. */
export interface ClientConfig {
  title: string
  format: 'jsonc' | 'toml'
  /** All possible locations. Of each inner list only the first existing one is read. */
  locations(host: HostEnvironment): readonly (readonly ConfigLocation[])[]
  /** Default scope for new servers. */
  scope: Scope
  /**
   * Where servers are added: the first existing file, or the last one. Empty if the scope is not
   * supported.
   */
  target(host: HostEnvironment, scope: Scope): readonly ConfigLocation[]
  /** How an entry refers to the folder of the project. */
  folderItself?: string
  /** The entry that starts a program. */
  entry(launch: Launch): Table
}
