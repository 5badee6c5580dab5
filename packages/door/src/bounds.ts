/** What a client may take up. Times in milliseconds. */
export interface Bounds {
  /** For the head of a request. */
  headersMs: number
  /** For a whole request with its body; replies may take as long as they do. */
  requestMs: number
  /** Until a connection without requests is closed. */
  idleMs: number
  /** Of the first line and the headers. */
  headerBytes: number
  connections: number
}

/** Proxies keep connections for a minute, and must not find them closed. */
export const defaultBounds: Bounds = {
  headersMs: 20_000,
  requestMs: 120_000,
  idleMs: 75_000,
  headerBytes: 16 * 1024,
  connections: 2_000,
}
