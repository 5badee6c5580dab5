/** A line that a server wrote to its standard error, redacted. */
interface LogLine {
  number: number
  time: string
  text: string
}

/** Of one server. */
const maxLines = 500
const maxBytes = 100_000
/** The configuration may have had others before. */
const maxServers = 500

export type ServerLogs = ReturnType<typeof createServerLogs>

/**
 * The last lines of the standard error of servers, of all instances and over restarts. Numbers begin
 * with the time of the start, so that they also grow from one process to the next.
 */
export function createServerLogs(now: () => number = Date.now) {
  const first = now()
  const logs = new Map<string, { lines: LogLine[]; bytes: number; total: number }>()
  return {
    add(server: string, text: string): void {
      const log = logs.get(server) ?? { lines: [], bytes: 0, total: 0 }
      logs.set(server, log)
      log.lines.push({ number: first + log.total++, time: new Date(now()).toISOString(), text })
      log.bytes += Buffer.byteLength(text)
      while (log.lines.length > maxLines || log.bytes > maxBytes)
        log.bytes -= Buffer.byteLength(log.lines.shift()?.text ?? '')
      const [oldest = ''] = logs.keys()
      if (logs.size > maxServers) logs.delete(oldest)
    },
    /** Lines after a number, the oldest first; the number of the first line there is, and of all. */
    after(server: string, number = 0) {
      const { lines = [], total = 0 } = logs.get(server) ?? {}
      return {
        lines: lines.filter((line) => line.number > number),
        first: first + total - lines.length,
        total,
      }
    },
  }
}
