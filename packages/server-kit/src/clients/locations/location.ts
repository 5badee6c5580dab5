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
