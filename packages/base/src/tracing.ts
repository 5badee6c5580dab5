/** `_meta` of a request; it carries the trace context. */
export type Meta = Record<string, unknown>

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
  /** Of its trace, in 32 hexadecimal digits; undefined if nothing is traced. */
  readonly traceId?: string | undefined
  child(traced: Traced): Span
  /** `_meta` for the next hop: the caller's trace context is replaced by that of this span. */
  metaFor(meta: Meta | undefined): Meta | undefined
  /** `ok`, or the reason of the failure. */
  end(outcome: string): void
}

/** Traces the requests of clients and what is sent to servers. */
export interface Tracing {
  /** Begins the span of a client request; `_meta` may name the trace it belongs to. */
  begin(traced: Traced, meta: Meta | undefined): Span
}
