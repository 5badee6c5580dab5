import { z } from 'zod'

/**
 * `begun`: a call that may change something, before it is sent. `call`: a tool of a server. `meta`: one of our own tools. `read`: another request to a server,
 * such as `resources/read`. `ask`: a question of a server to a client. `list`: the list of tools.
 * `admin`: a change by an administrator. `event`: anything else.
 */
export const journalKinds = [
  'begun',
  'call',
  'meta',
  'read',
  'ask',
  'list',
  'admin',
  'event',
] as const

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
  'call_denied',
  'needs_approval',
  'approval_refused',
  'outcome_unknown',
]

const text = z.string().optional()
const number = z.number().optional()

/**
 * One line of the journal. Contains no secrets; arguments are hashed. All tokens are estimates. The
 * order of the members is that of columns.
 */
export const journalLine = z.object({
  /** ISO 8601, of the beginning. */
  time: z.string(),
  kind: z.enum(journalKinds),
  session: text,
  /** The trace id, or 16 hexadecimal digits. */
  request: text.describe('Id of the request, also in the log and in its trace.'),
  caller: text,
  profile: text,
  client: text.describe('The name that the client gives itself; at most 60 characters.'),
  module: text.describe('Name of the server.'),
  account: text,
  /** Of kind `admin`: the operation with its object; of `read` and `ask`: the method. */
  tool: text,
  /** At most 300 characters. */
  target: text.describe('Of kind read: the URI without its query, or the name.'),
  /** Of `admin`: console, api, cli, config or retention. */
  via: text.describe('The meta-tool through which it was called.'),
  effect: text.describe('Of a call that may change something: the id that its line begun has.'),
  /** At most 300 characters. */
  approval: text.describe('Id of the approval, or what the user of the client answered.'),
  /** First 16 hexadecimal digits of the SHA-256 of the arguments as JSON. */
  argsHash: text,
  argsBytes: number,
  argsTokens: number,
  /** For a list, the size in mode `full`. */
  resultBytes: number,
  resultTokens: number.describe('Tokens of the result as the server returned it.'),
  /** For calls of a batch, the line of the batch has them. */
  sentTokens: number.describe('Tokens that were sent to the client.'),
  ms: number,
  outcome: z
    .string()
    .describe('ok, tool_error, rejected, an error code of the aggregator, or rpc_<code>.'),
  /** Of an error or event; at most 300 characters. */
  message: text,
  reason: text.describe('Why a request was rejected, in one word.'),
  count: z.int().optional().describe('How many events the line stands for.'),
  /** Of kind `admin`; at most 2,000 characters. */
  change: text.describe('JSON: the changed paths, each with [before, after].'),
})

/** One line of the journal: a call, a list, an event, or a change by an administrator. */
export type JournalLine = z.output<typeof journalLine>

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
   * Rejects with an `AggregatorError` `journal_unwritable` for `begun`, and for `requestKinds` if it
   * fails closed.
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
