/** One line of the journal. Contains no secrets; arguments are hashed. */
export interface JournalLine {
  /** ISO 8601, of the beginning. */
  time: string
  /**
   * `call`: a tool of a server. `meta`: one of our own tools. `list`: the list of tools. `event`:
   * anything else.
   */
  kind: 'call' | 'meta' | 'list' | 'event'
  session?: string
  caller?: string | undefined
  profile?: string | undefined
  module?: string | undefined
  account?: string | undefined
  tool?: string | undefined
  /** Our own tool through which it was called, if any. */
  via?: string | undefined
  /** First 16 hexadecimal digits of the SHA-256 of the arguments as JSON. */
  argsHash?: string | undefined
  argsBytes?: number | undefined
  /** Estimated, like all tokens here. */
  argsTokens?: number | undefined
  /** Size of the server's result; for a list, the size in mode `full`. */
  resultBytes?: number | undefined
  resultTokens?: number | undefined
  /** Tokens sent to the client; for calls of a batch, the line of the batch has them. */
  sentTokens?: number | undefined
  ms?: number | undefined
  /** `ok`, `tool_error` (reported by the tool), an error code of the aggregator, or of JSON-RPC. */
  outcome: string
  /** Of an error or event; at most 300 characters. */
  message?: string | undefined
  /** Of rejected requests: the reason in one word; `count` is their number. */
  reason?: string | undefined
  count?: number | undefined
}

/** Lines that could not be written since the journal was opened. */
export interface JournalLoss {
  lines: number
  /** Reason and time of the last one. */
  message: string
  time: string
}

/**
 * Records calls. A line is durable when `write` returns, even if the process is killed then.
 * `write` must not throw: lines that cannot be written are counted.
 */
export interface Journal {
  write(line: JournalLine): void
  loss?(): JournalLoss | undefined
  close(): void
}

/** A journal that stores nothing. */
export const noJournal: Journal = { write() {}, close() {} }
