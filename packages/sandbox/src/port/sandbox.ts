import type { Sandbox } from '#servers/config/sandbox'
import type { StdioServer } from '#servers/config/server-config'

/** A local server with a sandbox. */
export interface SandboxedServer extends Pick<StdioServer, 'command' | 'args' | 'env' | 'cwd'> {
  sandbox: Sandbox
}

/** What is enforced; contains no secrets. */
export type SandboxReport = EnforcedSandbox | OwnSandbox | RefusedSandbox

interface EnforcedSandbox {
  by: 'bubblewrap'
  /** A restriction that this machine cannot enforce. */
  lacks?: string
  network: boolean
  /** All files except those of the running system, such as `/proc`. */
  readsAll: boolean
  /** Includes the parts of the system and the server's own program. */
  reads: readonly string[]
  writes: readonly string[]
  /** What it would see if it were not hidden. */
  hides: readonly string[]
  /** Names of variables of this process that it gets in addition to its own. */
  variables: readonly string[]
}

interface OwnSandbox {
  by: 'command'
  /** The program; its restrictions are unknown. */
  program: string
  variables: readonly string[]
}

/** The server does not start. */
interface RefusedSandbox {
  by: 'none'
  reason: string
}
