import type { Fields } from './message.ts'
/** What a span is about. */
export interface Traced {
  method: string
  /** The name in the request: of a tool, or of a prompt. */
  tool?: string | undefined
  /** The server it is sent on to. */
  server?: string | undefined
  /** By what it is sent on. */
  transport?: 'pipe' | 'tcp' | undefined
  era?: string | undefined
  session?: string | undefined
}

/** One thing that takes its time, as a tracer sees it. Nothing of it may throw. */
export interface Span {
  /** A part of it. */
  child(traced: Traced): Span
  /** `_meta` for whoever works on it next: its own trace context in place of the caller's. */
  metaFor(meta: Fields | undefined): Fields | undefined
  /** `ok`, or why not. */
  end(outcome: string): void
}

/** Sees requests come, and go on to servers. */
export interface Tracing {
  /** A request of a client; its `_meta` may say of which trace it is a part. */
  begin(traced: Traced, meta: Fields | undefined): Span
}

/** Do it within a span, if there is a tracer. */
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

/** Of a result: a tool may say that it failed. */
export const outcomeOf = ({ isError }: Fields): string => (isError === true ? 'tool_error' : 'ok')

function failureOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (name === 'AbortError') return 'cancelled'
  return typeof code === 'string' || typeof code === 'number' ? String(code) : 'failed'
}
