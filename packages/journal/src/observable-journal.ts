import type { Journal, JournalLine } from './journal.ts'

/** A journal with subscribers. */
export interface ObservableJournal extends Journal {
  /**
   * Calls `listener` with each new line; it must not throw. Returns a function that unsubscribes.
   */
  subscribe(listener: (line: JournalLine) => void): () => void
}

/** Wraps a journal: subscribers get each line after it is written, but those of kind `begun`. */
export function createObservableJournal(journal: Journal): ObservableJournal {
  const listeners = new Set<(line: JournalLine) => void>()
  return {
    async write(line) {
      await journal.write(line)
      // Of a call, its own line is news.
      if (line.kind !== 'begun') for (const listener of listeners) listener(line)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    check: () => journal.check?.(),
    loss: () => journal.loss?.(),
    close: journal.close,
  }
}
