import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { JournalLine } from './journal.ts'
import { dayOf, journalFiles } from './journal-files.ts'

/** Reads the lines from a time on; lines of one file are in order. Invalid lines are skipped. */
export async function* readJournal(folder: string, since = ''): AsyncGenerator<JournalLine> {
  for (const path of journalFiles(folder)) {
    if (dayOf(path) < since.slice(0, 10)) continue
    for await (const text of createInterface({ input: createReadStream(path) })) {
      const line = parseLine(text)
      if (line !== undefined && line.time >= since) yield line
    }
  }
}

/** Longer lines are not from a journal. */
const maxLineLength = 64 * 1024
const numbers = [
  'argsBytes',
  'argsTokens',
  'resultBytes',
  'resultTokens',
  'sentTokens',
  'ms',
] as const

type Chained = JournalLine & { chain?: string; after?: string }

/** Undefined if the text is not a line of a journal. */
export function parseLine(text: string): JournalLine | undefined {
  if (text.length > maxLineLength) return undefined
  try {
    // Chain values are of the file: `verifyJournal` reads them.
    const { chain: _, after: __, ...line } = JSON.parse(text) as Chained
    const isOne =
      typeof line.time === 'string' &&
      typeof line.outcome === 'string' &&
      numbers.every((key) => line[key] === undefined || Number.isFinite(line[key]))
    return isOne ? line : undefined
  } catch {
    return undefined
  }
}
