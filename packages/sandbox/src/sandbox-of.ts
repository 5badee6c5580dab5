import type { ServerConfig } from '#servers/config/server-config'
import type { SandboxHost } from './host/host.ts'
import type { SandboxReport } from './port/sandbox.ts'

/** The sandbox that a server gets when it starts; undefined without one. Does not reject. */
export async function sandboxOf(
  server: ServerConfig,
  host?: SandboxHost,
): Promise<SandboxReport | undefined> {
  if (server.type !== 'stdio' || server.sandbox === undefined) return undefined
  const { sandbox } = server
  try {
    const { inSandbox } = await import('./in-sandbox.ts')
    return (await inSandbox({ ...server, sandbox }, host)).report
  } catch (error) {
    return { by: 'none', reason: (error as Error).message }
  }
}
