/** Limits of connections. Times are milliseconds. */
export interface Bounds {
  /** For the head of a request. */
  headersMs: number
  /** For a whole request with its body; replies are not limited. */
  requestMs: number
  /** Until an idle connection is closed. */
  idleMs: number
  /** Of the request line and the headers. */
  headerBytes: number
  connections: number
}

/**
 * `idleMs` exceeds the minute for which proxies keep connections, so that they never find them
 * closed.
 */
export const defaultBounds: Bounds = {
  headersMs: 20_000,
  requestMs: 120_000,
  idleMs: 75_000,
  headerBytes: 16 * 1024,
  connections: 2_000,
}
