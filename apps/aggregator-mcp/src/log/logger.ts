import type { JournalLine } from '@pith-mcp/aggregator'

export const levels = ['debug', 'info', 'warn', 'error'] as const

export type Level = (typeof levels)[number]

export const logFormats = ['text', 'json'] as const

export type LogFormat = (typeof logFormats)[number]

/** Writes one line (default level `info`). `server` is the server that the line is about. */
export type Log = (text: string, level?: Level, about?: { server?: string }) => void

/** The log of the process, on stderr. */
export interface Logger {
  log: Log
  /** Log a line that was written to the journal. */
  record(line: JournalLine): void
  /** Redact all later lines with this function. */
  redactWith(redact: (text: string) => string): void
}
