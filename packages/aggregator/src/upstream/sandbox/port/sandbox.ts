import type { Sandbox } from '../../../config/sandbox.ts'
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
