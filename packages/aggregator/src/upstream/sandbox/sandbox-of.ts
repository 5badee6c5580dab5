import type { ServerConfig } from '../../config/server-config.ts'
import type { Machine } from './machine/machine.ts'
import type { SandboxReport } from './port/sandbox.ts'

/** What is in force for a server once it is started; undefined without a sandbox. Does not reject. */
export async function sandboxOf(
  server: ServerConfig,
  machine?: Machine,
): Promise<SandboxReport | undefined> {
  if (server.type !== 'stdio' || server.sandbox === undefined) return undefined
  const { sandbox } = server
  try {
    const { inSandbox } = await import('./in-sandbox.ts')
    return (await inSandbox({ ...server, sandbox }, machine)).report
  } catch (error) {
    return { by: 'none', reason: (error as Error).message }
  }
}
