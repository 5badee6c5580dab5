import type { Session } from '../protocol/request-context.ts'
import type { Connection } from './connection.ts'

/** Levels of RFC 5424, the least urgent first. */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

export const isLogLevel = (level: unknown): level is string =>
  typeof level === 'string' && levels.includes(level)

/** True if a message of `level` is at or above the requested level. */
export const isLoud = (level: unknown, requestedLevels: string): boolean =>
  !isLogLevel(level) || levels.indexOf(level) >= levels.indexOf(requestedLevels)

export type LogLevels = ReturnType<typeof createLogLevels>

/**
 * Log levels of legacy sessions. Sessions without one get all messages, as from a single server.
 */
export function createLogLevels() {
  const requestedLevels = new Map<Session, string>()
  return {
    set: (session: Session, level: string) => void requestedLevels.set(session, level),
    of: (session: Session) => requestedLevels.get(session) ?? 'debug',
    /** The level that the client has set. */
    setBy: (session: Session) => requestedLevels.get(session),
    /** The level to set at a server so that all sessions get their messages. */
    lowest(sessions: Iterable<Session>): string | undefined {
      const levelsSet = [...sessions].flatMap((session) => requestedLevels.get(session) ?? [])
      return levelsSet.sort((a, b) => levels.indexOf(a) - levels.indexOf(b))[0]
    },
    forget: (session: Session) => void requestedLevels.delete(session),
  }
}

const patienceMs = 1_000

const logged = new WeakMap<Connection, string>()

/** Sets the level at a legacy server unless it is low enough. Must not throw. */
export async function lowerLogLevel(connection: Connection, level: string): Promise<void> {
  const before = logged.get(connection)
  if (connection.era === 'modern' || connection.capabilities['logging'] === undefined) return
  if (before !== undefined && isLoud(level, before)) return
  logged.set(connection, level)
  const message = { method: 'logging/setLevel', params: { level } }
  // Calls must not wait long for it.
  await connection.request(message, { signal: AbortSignal.timeout(patienceMs) }).catch(() => {})
}
