/** A tool as a transcript names it. */
export interface Tool {
  /** Name of the server; undefined for a tool of the client itself. */
  server: string | undefined
  tool: string
  /** The server through which a meta-tool called it. */
  via?: string
}

/**
 * What a transcript says, in the order in which contexts of a model grow. `context` tells apart
 * those of one file; tokens are estimates, `input` and `output` what the provider counted.
 */
export type TranscriptEvent = { context?: string } & (
  | { kind: 'session'; id: string }
  | { kind: 'call'; id: string; time: number; called: Tool; tokens: number }
  | { kind: 'named'; id: string; called: Tool }
  | { kind: 'result'; id: string; time: number; tokens: number }
  /** A prompt, or output of the model. */
  | { kind: 'text'; of: 'input' | 'output'; tokens: number }
  /** `key` is that of one request, wherever it is copied to; without `input` nothing was counted. */
  | { kind: 'request'; key?: string; time: number; input?: number; output: number }
  /** The context begins again, with a summary of what was in it. */
  | { kind: 'compacted' }
  /** The context continues from its first entries: calls, results and texts, by their number. */
  | { kind: 'rewound'; entries: number }
  /** Results of these calls were removed. */
  | { kind: 'cleared'; calls: string[] }
  /** The client loads definitions of tools on demand. */
  | { kind: 'defers' }
  /** Instructions of a server. */
  | { kind: 'instructions'; server: string; tokens: number }
  /** What the reader does not know. */
  | { kind: 'unknown'; what: string }
)

/** Reads the records of one file, each a line of JSON. */
export interface TranscriptReader {
  read(record: Record<string, unknown>): Iterable<TranscriptEvent>
  end(): Iterable<TranscriptEvent>
}

/** Whether an event is an entry of its context: what a later request holds. */
export const isEntry = ({ kind }: TranscriptEvent): boolean =>
  kind === 'call' || kind === 'result' || kind === 'text'
