import { confineByBubblewrap } from './backends/bubblewrap.ts'
import { confineByOwnCommand } from './backends/own-command.ts'
import { type Confined, type SandboxHost, thisHost } from './host/host.ts'
import type { SandboxedServer } from './port/sandbox.ts'

/**
 * How to start a server so that its sandbox is enforced.
 * @throws {Error} if no backend can enforce all of it; no restriction is dropped silently
 */
export async function inSandbox(
  server: SandboxedServer,
  host: SandboxHost = thisHost,
): Promise<Confined> {
  const { by } = server.sandbox
  try {
    return typeof by === 'object'
      ? confineByOwnCommand(server, by)
      : await confineByBubblewrap(server, host)
  } catch (error) {
    throw new Error(`its sandbox cannot be enforced: ${(error as Error).message}`, { cause: error })
  }
}
