import type { Session } from '../protocol/exchange.ts'
import type { Connection } from '../upstream/connection/connection.ts'

/** As in RFC 5424, the least urgent first. */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

export const isLogLevel = (level: unknown): level is string =>
  typeof level === 'string' && levels.includes(level)

/** Whether a message of one level is wanted by who asked for another and above. */
export const isLoud = (level: unknown, wanted: string): boolean =>
  !isLogLevel(level) || levels.indexOf(level) >= levels.indexOf(wanted)

/** From which level on legacy clients want messages. Who did not say gets all, as of one server. */
export interface LogLevels {
  set(session: Session, level: string): void
  of(session: Session): string
  /** What the client said itself. */
  saidBy(session: Session): string | undefined
  /** What a server has to be told, so that everyone gets what they want. */
  lowest(sessions: Iterable<Session>): string | undefined
  forget(session: Session): void
}

export function createLogLevels(): LogLevels {
  const wanted = new Map<Session, string>()
  return {
    set: (session, level) => void wanted.set(session, level),
    of: (session) => wanted.get(session) ?? 'debug',
    saidBy: (session) => wanted.get(session),
    lowest(sessions) {
      const said = [...sessions].flatMap((session) => wanted.get(session) ?? [])
      return said.sort((a, b) => levels.indexOf(a) - levels.indexOf(b))[0]
    },
    forget: (session) => void wanted.delete(session),
  }
}

const patienceMs = 1_000

const told = new WeakMap<Connection, string>()

/** Have a legacy server log from this level on, unless it does so already. Must not throw. */
export async function lowerLogLevel(connection: Connection, level: string): Promise<void> {
  const before = told.get(connection)
  if (connection.era === 'modern' || connection.capabilities['logging'] === undefined) return
  if (before !== undefined && isLoud(level, before)) return
  told.set(connection, level)
  const message = { method: 'logging/setLevel', params: { level } }
  // No call waits long for it.
  await connection.request(message, { signal: AbortSignal.timeout(patienceMs) }).catch(() => {})
}
