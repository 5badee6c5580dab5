import type { Table } from '../files/table.ts'
import type { Launch } from '../launch.ts'

/** What paths of configuration files depend on; an argument, so that tests can use any folder. */
export interface HostEnvironment {
  home: string
  /** The folder of the project. */
  cwd: string
  platform: NodeJS.Platform
  variables: Readonly<Record<string, string | undefined>>
}

/** A configuration file of a client, and the path in it. */
export interface ConfigLocation {
  /** Absolute; `*` matches any part of one name. */
  file: string
  /** Path to the object with the servers. */
  at: readonly string[]
  /** The product of this file, if a client has several. */
  product?: string
  /** The servers are available in this folder only. */
  folder?: string
}

/** `folder`: the current folder; `user`: all folders of the user. */
export type Scope = 'folder' | 'user'

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
