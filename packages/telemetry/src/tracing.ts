/** `_meta` of a request; it carries the trace context. */
export type Meta = Readonly<Record<string, unknown>>

/** Attributes of a span. */
export interface Traced {
  method: string
  /** The name in the request: of a tool or a prompt. */
  tool?: string | undefined
  /** The server that gets the request. */
  server?: string | undefined
  transport?: 'pipe' | 'tcp' | undefined
  era?: string | undefined
  session?: string | undefined
}

/** A span of a trace. */
export interface Span {
  child(traced: Traced): Span
  /** `_meta` for the next hop: the caller's trace context is replaced by that of this span. */
  metaFor(meta: Record<string, unknown> | undefined): Record<string, unknown> | undefined
  /** `ok`, or the reason of the failure. */
  end(outcome: string): void
}

/** Traces requests; has the shape of `Tracing` of @pith-mcp/aggregator. */
export interface Tracing {
  begin(traced: Traced, meta: Record<string, unknown> | undefined): Span
}

/** `server`: a client request. `client`: a request to a server. */
export type Side = 'server' | 'client'

export type RecordOperation = (side: Side, traced: Traced, outcome: string, seconds: number) => void
