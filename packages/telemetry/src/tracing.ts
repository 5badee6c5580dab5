export type Meta = Readonly<Record<string, unknown>>

/** What a span is about. */
export interface Traced {
  method: string
  /** The name in the request: of a tool, or of a prompt. */
  tool?: string | undefined
  /** The server it is sent on to. */
  server?: string | undefined
  transport?: 'pipe' | 'tcp' | undefined
  era?: string | undefined
  session?: string | undefined
}

/** One thing that takes its time. */
export interface Span {
  child(traced: Traced): Span
  /** `_meta` for whoever works on it next: its own trace context in place of the caller's. */
  metaFor(meta: Record<string, unknown> | undefined): Record<string, unknown> | undefined
  /** `ok`, or why not. */
  end(outcome: string): void
}

/** What the aggregator tells of its requests; the shape of `Tracing` of @pith-mcp/aggregator. */
export interface Tracing {
  begin(traced: Traced, meta: Record<string, unknown> | undefined): Span
}

/** `server`: a request of a client. `client`: what we ask a server for it. */
export type Side = 'server' | 'client'
