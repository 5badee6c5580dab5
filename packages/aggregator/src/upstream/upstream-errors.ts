import { fenced, forModel } from '#scan/server-text'
import type { ConnectionLost, HttpRefusal } from '#servers/connection/connection'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { qualifiedName, type ServerAccount } from '#servers/protocol/server-account'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type { StderrTail } from './stderr-tail.ts'

export type UpstreamErrors = ReturnType<typeof createUpstreamErrors>

/** Errors for callers of a server that cannot be used, with the end of its standard error. */
export function createUpstreamErrors(
  server: ServerAccount & { problem?: string | undefined },
  breaker: CircuitBreaker,
  stderr: StderrTail,
  redact: (text: string) => string,
) {
  const name = qualifiedName(server)

  const lastWords = (): string => {
    const tail = stderr.lines(5)
    return tail.length > 0 ? ` It last wrote: ${forModel(fenced(tail.join(' | ')))}` : ''
  }

  return {
    down(reason: string): AggregatorError {
      const retry = breaker.waitMs()
      const when = retry > 0 ? `in ${Math.ceil(retry / 1000)} s` : 'now'
      const times = breaker.failures > 1 ? ` (${breaker.failures} failures in a row)` : ''
      return new AggregatorError(
        'upstream_down',
        `The server ${name} is down${times}: ${forModel(redact(reason))}.${lastWords()}`,
        `Other servers are not affected. It can be tried again ${when}.`,
      )
    },
    /** The connection was lost during a call. */
    closed: (error: ConnectionLost) =>
      new AggregatorError(
        'upstream_closed',
        `The server ${name} ended during the call: ${forModel(redact(error.message))}.${lastWords()}`,
        'The call may have had effects and was not repeated. The next call starts the server again.',
        error,
      ),
    /** The server answered a request with an HTTP error. */
    refused: (error: HttpRefusal) =>
      new AggregatorError(
        'upstream_refused',
        `The server ${name} refused the request: ${forModel(redact(error.message))}.`,
        error.status >= 500
          ? 'The call may have had effects and was not repeated.'
          : 'The call was not repeated.',
        error,
      ),
    /** The server has asked for time. */
    quiet: (ms: number) =>
      new AggregatorError(
        'upstream_refused',
        `The server ${name} has asked not to be called for now (Retry-After). Nothing was sent.`,
        `Call again in ${Math.ceil(ms / 1_000)} s.`,
      ),
    /** The configuration has a problem: a retry cannot help. */
    unusable: () =>
      new AggregatorError(
        'upstream_down',
        `The server ${name} cannot be used with its configuration: ${server.problem}.`,
        'Other servers are not affected. Correct the configuration or the environment. A changed environment variable takes effect after a restart.',
      ),
  }
}
