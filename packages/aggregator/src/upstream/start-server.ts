import { raceAbort } from '#base/race-abort'
import type { Connect, ConnectOptions } from '#servers/connection/connection'

/** A start that took longer than `startTimeoutMs`. */
export class StartTimeout extends Error {}

/** One start of a server, which ends within `startTimeoutMs`. */
export type ServerStart = ReturnType<typeof startServer>

export function startServer(connect: Connect, options: Omit<ConnectOptions, 'signal' | 'tokens'>) {
  const stopping = new AbortController()
  const { startTimeoutMs } = options.server
  const timeout = setTimeout(
    () => stopping.abort(new StartTimeout(`it did not answer within ${startTimeoutMs / 1000} s`)),
    startTimeoutMs,
  )
  const { signal } = stopping
  const opening = connect({ ...options, signal })
  const connection = raceAbort(opening, signal, (late) => void late.close())
    .catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error
    })
    .finally(() => clearTimeout(timeout))
  return {
    /** Rejects with the reason if the start fails, is aborted or takes too long. */
    connection,
    abort: (reason: Error) => stopping.abort(reason),
  }
}
