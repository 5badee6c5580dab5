/** What a server may access, with absolute paths. */
export interface Sandbox {
  /** The backend, or a command prefix. Default: bubblewrap. */
  by?: 'bubblewrap' | readonly string[] | undefined
  /** Variables of this process that the server gets in addition to its own `env`. */
  env: Readonly<Record<string, string>>
  /** The names in `env` that were listed in the configuration. */
  listed: readonly string[]
  /** The `PATH` in which commands are looked up. */
  searchPath: string
  readsAll: boolean
  reads: readonly string[]
  writes: readonly string[]
  /** Absolute paths that are not shown, whatever is listed: those of the aggregator itself. */
  hidden?: readonly string[] | undefined
  network: boolean
}
