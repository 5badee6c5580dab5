import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { dayOf, journalFiles } from './file-journal.ts'
import type { JournalLine } from './journal.ts'

/** The lines of a journal from a day on, those of one file in order. What is no line is left out. */
export async function* readJournal(folder: string, since = ''): AsyncGenerator<JournalLine> {
  for (const path of journalFiles(folder)) {
    if (dayOf(path) < since.slice(0, 10)) continue
    for await (const text of createInterface({ input: createReadStream(path) })) {
      const line = parseLine(text)
      if (line !== undefined && line.time >= since) yield line
    }
  }
}

/** Undefined for what is none. */
export function parseLine(text: string): JournalLine | undefined {
  try {
    const line = JSON.parse(text) as JournalLine
    return typeof line.time === 'string' && typeof line.outcome === 'string' ? line : undefined
  } catch {
    return undefined
  }
}
