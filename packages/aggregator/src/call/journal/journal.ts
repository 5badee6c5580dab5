/**
 * `call`: a tool of a server. `meta`: one of our own tools. `read`: another request to a server,
 * such as `resources/read`. `ask`: a question of a server to a client. `list`: the list of tools.
 * `admin`: a change by an administrator. `event`: anything else.
 */
export const journalKinds = ['call', 'meta', 'read', 'ask', 'list', 'admin', 'event'] as const

/** Kinds of requests that are not answered unless they are recorded, with a journal that fails closed. */
export const requestKinds: readonly string[] = ['call', 'meta', 'read']
/** Kinds that usage counts. */
export const usageKinds: readonly string[] = [...requestKinds, 'list']

/** Outcomes of requests that a rule or limit refused, and that reached no server. */
export const refusals: readonly string[] = [
  'rate_limited',
  'budget_spent',
  'too_many',
  'tool_held',
  'too_many_instances',
]

/** One line of the journal. Contains no secrets; arguments are hashed. */
export interface JournalLine {
  /** ISO 8601, of the beginning. */
  time: string
  kind: (typeof journalKinds)[number]
  session?: string
  caller?: string | undefined
  profile?: string | undefined
  module?: string | undefined
  account?: string | undefined
  /** Of kind `admin`: the operation with its object; of `read` and `ask`: the method. */
  tool?: string | undefined
  /** Our own tool through which it was called, if any. Of `admin`: console, api, cli, config or retention. */
  via?: string | undefined
  /** Of kind `read`: the URI without its query, or the name; at most 300 characters. */
  target?: string | undefined
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
  /** Of kind `admin`, JSON of at most 2,000 characters: changed paths with `[before, after]`. */
  change?: string | undefined
}

/** Lines that could not be written since the journal was opened. */
export interface JournalLoss {
  lines: number
  /** Reason and time of the last one. */
  message: string
  time: string
}

/**
 * Records calls. A line is durable when `write` resolves, even if the process is killed then. Lines
 * that cannot be written are counted.
 */
export interface Journal {
  /**
   * Rejects with an `AggregatorError` `journal_unwritable` if it fails closed; only for
   * `requestKinds`.
   */
  write(line: JournalLine): Promise<void> | void
  /**
   * The same before a call or change, if lines are missing and still cannot be written, or if the
   * first line could not be. Returns a promise only if it has to ask.
   */
  check?(): void | Promise<void>
  loss?(): JournalLoss | undefined
  /** Resolves when all lines are written, or cannot be. */
  close(): void | Promise<void>
}

/** A journal that stores nothing. */
export const noJournal: Journal = { write() {}, close() {} }
