import type { Journal, JournalLine } from './journal.ts'

/** A journal whose lines are heard as they are written. */
export interface HeardJournal extends Journal {
  /** Must not throw. Ends when the returned function is called. */
  listen(listener: (line: JournalLine) => void): () => void
}

export function createHeardJournal(journal: Journal): HeardJournal {
  const listeners = new Set<(line: JournalLine) => void>()
  return {
    write(line) {
      journal.write(line)
      for (const listener of listeners) listener(line)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    loss: () => journal.loss?.(),
    close: journal.close,
  }
}
