import { createFileEffects, type FindOpenEffects } from './effects.ts'
import type { JournalLine } from './journal.ts'
import { createJournalTail, type JournalTail } from './journal-tail.ts'
import { readJournal } from './read-journal.ts'
import { type JournalSearch, searchJournal } from './search-journal.ts'
import { type UsageGroup, type UsageReport, usageOf } from './usage.ts'
import { type JournalVerification, verifyJournal } from './verify-journal.ts'

/** Reads a journal, of all its writers. */
export interface JournalReader {
  /** Lines from a time on, ISO 8601; default all. Lines of one writer are in order. */
  read(since?: string): AsyncIterable<JournalLine>
  /** Sums of the lines from a time on. */
  usage(by: UsageGroup, since?: string): Promise<UsageReport>
  search(search: JournalSearch): ReturnType<typeof searchJournal>
  tail(): JournalTail
  effects(): FindOpenEffects
  /** Finds lines that were changed or removed after they were written. */
  verify(): Promise<JournalVerification>
}

/** Reads the journal in a folder. */
export const createFileJournalReader = (folder: string): JournalReader => ({
  read: (since) => readJournal(folder, since),
  usage: (by, since) => usageOf(readJournal(folder, since), by),
  search: (search) => searchJournal(folder, search),
  tail: () => createJournalTail(folder),
  effects: () => createFileEffects(folder),
  verify: () => verifyJournal(folder),
})
