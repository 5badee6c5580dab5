/** What a server may do at all, with absolute paths; what enforces it is found out at its start. */
export interface Sandbox {
  /** Which way, or a command put in front. Without it, whatever enforces all that is asked. */
  by?: 'bubblewrap' | 'node' | readonly string[] | undefined
  /** Those of our variables that it gets beside its own `env`, with their values. */
  env: Readonly<Record<string, string>>
  /** Names that were asked for, of those. */
  listed: readonly string[]
  /** Where commands are looked for. */
  searchPath: string
  /** All files can be read. */
  readsAll: boolean
  reads: readonly string[]
  writes: readonly string[]
  network: boolean
}
