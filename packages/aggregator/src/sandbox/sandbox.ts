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

/** Of a server that is started here. */
export interface SandboxedServer {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd?: string | undefined
  sandbox: Sandbox
}

/** What is in force; nothing of it is secret. */
export type SandboxReport = EnforcedSandbox | OwnSandbox | RefusedSandbox

interface EnforcedSandbox {
  by: 'bubblewrap' | 'node'
  /** What is not enforced on this machine, though it should be. */
  lacks?: string
  network: boolean
  /** All but what is of the running system, such as `/proc`. */
  readsAll: boolean
  /** What it sees of the system and of its own program is among them. */
  reads: readonly string[]
  writes: readonly string[]
  /** Names of ours that it gets, beside its own. */
  variables: readonly string[]
}

interface OwnSandbox {
  by: 'command'
  /** The program; what it enforces is not known. */
  program: string
  variables: readonly string[]
}

/** The server does not start. */
interface RefusedSandbox {
  by: 'none'
  reason: string
}
