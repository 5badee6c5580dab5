import { type Confined, type Machine, thisMachine } from './machine/machine.ts'
import type { SandboxedServer } from './port/sandbox.ts'
import { byBubblewrap } from './ways/by-bubblewrap.ts'
import { byNode } from './ways/by-node.ts'
import { byOwnCommand } from './ways/by-own-command.ts'

/**
 * How a server is started so that it can do no more than its sandbox allows.
 * @throws {Error} when nothing here enforces what is asked; nothing is skipped in silence
 */
export async function inSandbox(
  server: SandboxedServer,
  machine: Machine = thisMachine,
): Promise<Confined> {
  try {
    return await confine(server, machine)
  } catch (error) {
    throw new Error(`its sandbox cannot be had: ${(error as Error).message}`, { cause: error })
  }
}

async function confine(server: SandboxedServer, machine: Machine): Promise<Confined> {
  const { by } = server.sandbox
  if (typeof by === 'object') return byOwnCommand(server, by)
  if (by === 'node') return byNode(server, machine)
  const missing = await machine.findBubblewrap().then(
    () => undefined,
    (error: Error) => error,
  )
  if (missing === undefined || by === 'bubblewrap') return byBubblewrap(server, machine)
  try {
    return await byNode(server, machine)
  } catch (error) {
    throw new Error(`${missing.message}. Nor otherwise: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
