import { confineByBubblewrap } from './backends/bubblewrap.ts'
import { confineByNode } from './backends/node-permissions.ts'
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
  try {
    return await confine(server, host)
  } catch (error) {
    throw new Error(`its sandbox cannot be enforced: ${(error as Error).message}`, { cause: error })
  }
}

async function confine(server: SandboxedServer, host: SandboxHost): Promise<Confined> {
  const { by } = server.sandbox
  if (typeof by === 'object') return confineByOwnCommand(server, by)
  if (by === 'node') return confineByNode(server, host)
  const missing = await host.findBubblewrap().then(
    () => undefined,
    (error: Error) => error,
  )
  if (missing === undefined || by === 'bubblewrap') return confineByBubblewrap(server, host)
  try {
    return await confineByNode(server, host)
  } catch (error) {
    throw new Error(
      `${missing.message}. Another backend cannot be used either: ${(error as Error).message}`,
      {
        cause: error,
      },
    )
  }
}
