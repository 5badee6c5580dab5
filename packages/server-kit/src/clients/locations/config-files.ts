import type { ConfigFormat } from '../../files/config-text.ts'
import type { ConfigLocation, HostEnvironment, Scope } from './location.ts'

/** Where a client stores its servers, and in which format. */
export interface ConfigFiles {
  format: ConfigFormat
  /** All possible locations. Of each inner list only the first existing one is read. */
  locations(host: HostEnvironment): readonly (readonly ConfigLocation[])[]
  /** Other files with settings of servers. They are never written. */
  otherFiles?(host: HostEnvironment): Readonly<Record<string, string>>
  /** Default scope for new servers. */
  scope: Scope
  /**
   * Where servers are added: the first existing file, or the last one. Empty if the client has no
   * files in folders; every client has one of the user.
   */
  target(host: HostEnvironment, scope: Scope): readonly ConfigLocation[]
}
