/** Of one server. */
const maxLines = 500
const maxBytes = 100_000
/** The configuration may have had others before. */
const maxServers = 500

interface Log {
  lines: { time: string; text: string }[]
  /** Of all lines since the start. */
  total: number
}

/** The last lines of the standard error of servers, of all instances and over restarts. */
export function createServerLogs() {
  const logs = new Map<string, Log & { bytes: number }>()
  return {
    of: (server: string): Log => logs.get(server) ?? { lines: [], total: 0 },
    add(server: string, text: string): void {
      const log = logs.get(server) ?? { lines: [], bytes: 0, total: 0 }
      logs.set(server, log)
      log.lines.push({ time: new Date().toISOString(), text })
      log.total++
      log.bytes += Buffer.byteLength(text)
      while (log.lines.length > maxLines || log.bytes > maxBytes)
        log.bytes -= Buffer.byteLength(log.lines.shift()?.text ?? '')
      const [oldest = ''] = logs.keys()
      if (logs.size > maxServers) logs.delete(oldest)
    },
  }
}
