import { type Connection, HttpRefusal } from '#servers/connection/connection'
import { SignInNeeded } from '#servers/connection/sign-in-needed'

const timeoutMs = 10_000

/** True if a server answers at all. */
export async function isAlive(connection: Connection): Promise<boolean> {
  const method = connection.era === 'modern' ? 'server/discover' : 'ping'
  try {
    await connection.request({ method }, { signal: AbortSignal.timeout(timeoutMs) })
    return true
  } catch (error) {
    const isRefused = error instanceof HttpRefusal && error.status < 500
    return isAnswer(error) || error instanceof SignInNeeded || isRefused
  }
}

/** True for a JSON-RPC error: the server has answered. Abort errors have a numeric code, too. */
export function isAnswer(error: unknown): boolean {
  if (error instanceof DOMException) return false
  return typeof (error as { code?: unknown } | null)?.code === 'number'
}
