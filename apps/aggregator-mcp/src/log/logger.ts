import type { JournalLine } from '@pith-mcp/aggregator'

export const levels = ['debug', 'info', 'warn', 'error'] as const

export type Level = (typeof levels)[number]

export const logFormats = ['text', 'json'] as const

export type LogFormat = (typeof logFormats)[number]

/** One line; default level `info`. `server` is whom it is about, where that is known. */
export type Log = (text: string, level?: Level, about?: { server?: string }) => void

/** Tells whoever runs it what happens, on stderr. */
export interface Logger {
  log: Log
  /** A line of the journal was written. */
  note(line: JournalLine): void
  /** From now on texts go through it. */
  hideBy(hide: (text: string) => string): void
}
