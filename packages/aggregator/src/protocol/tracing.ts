import type { JsonObject } from './message.ts'
/** Attributes of a span. */
export interface Traced {
  method: string
  /** The name in the request: of a tool or a prompt. */
  tool?: string | undefined
  /** The server that gets the request. */
  server?: string | undefined
  /** How the server is reached. */
  transport?: 'pipe' | 'tcp' | undefined
  era?: string | undefined
  session?: string | undefined
}

/** A span of a trace. Its methods must not throw. */
export interface Span {
  child(traced: Traced): Span
  /** `_meta` for the next hop: the caller's trace context is replaced by that of this span. */
  metaFor(meta: JsonObject | undefined): JsonObject | undefined
  /** `ok`, or the reason of the failure. */
  end(outcome: string): void
}

/** Traces the requests of clients and what is sent to servers. */
export interface Tracing {
  /** Begins the span of a client request; `_meta` may name the trace it belongs to. */
  begin(traced: Traced, meta: JsonObject | undefined): Span
}

/** Runs `work` and ends the span with its outcome. */
export async function traced<T>(
  span: Span | undefined,
  work: () => Promise<T>,
  outcomeOf: (result: T) => string = () => 'ok',
): Promise<T> {
  if (span === undefined) return work()
  try {
    const result = await work()
    span.end(outcomeOf(result))
    return result
  } catch (error) {
    span.end(failureOf(error))
    throw error
  }
}

/** The outcome of a result: tools report their failures in it. */
export const outcomeOf = ({ isError }: JsonObject): string =>
  isError === true ? 'tool_error' : 'ok'

function failureOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (name === 'AbortError') return 'cancelled'
  return typeof code === 'string' || typeof code === 'number' ? String(code) : 'failed'
}
