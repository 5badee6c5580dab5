/** One thing a client did, as it is kept. Nothing in it is secret; arguments are a hash. */
export interface JournalLine {
  /** ISO 8601, of the beginning. */
  time: string
  /** `call`: a tool of a server. `meta`: a tool of ours. `list`: the list of tools. `event`: something that happened. */
  kind: 'call' | 'meta' | 'list' | 'event'
  session?: string
  caller?: string | undefined
  profile?: string | undefined
  module?: string | undefined
  account?: string | undefined
  tool?: string | undefined
  /** The tool of ours by which it was called, if it was. */
  via?: string | undefined
  /** SHA-256 of the arguments in JSON, its first 16 digits. */
  argsHash?: string | undefined
  argsBytes?: number | undefined
  /** Estimated, as all tokens here. */
  argsTokens?: number | undefined
  /** As the server gave it; of a list, as it would be in full. */
  resultBytes?: number | undefined
  resultTokens?: number | undefined
  /** What went to the client of it; in a batch the batch has it. */
  sentTokens?: number | undefined
  ms?: number | undefined
  /** `ok`, `tool_error` (the tool says it failed), a code of ours, or of JSON-RPC. */
  outcome: string
  /** Of an error or an event; at most 300 characters. */
  said?: string | undefined
  /** One word, of requests that were not let in, and how many they were. */
  reason?: string | undefined
  count?: number | undefined
}

/** Lines that could not be written since the journal was opened. */
export interface JournalLoss {
  lines: number
  /** Why, and when, of the last of them. */
  said: string
  time: string
}

/**
 * Keeps what was done. A line is kept when `write` returns, whatever happens to the process then.
 * `write` must not throw: what cannot be kept is counted.
 */
export interface Journal {
  write(line: JournalLine): void
  loss?(): JournalLoss | undefined
  close(): void
}

export const noJournal: Journal = { write() {}, close() {} }
