import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { JournalLine } from './journal.ts'
import { dayOf, journalFiles } from './journal-files.ts'
import { parseLine } from './read-journal.ts'

/** Reads each line of a journal once, as it is written. */
export interface JournalTail {
  /** Passes on the lines written since the last call. `firstDay`: files of earlier days are skipped. */
  readNew(onLine: (line: JournalLine) => void, firstDay?: string): Promise<void>
}

/** Creates a reader of what is written from now on, and of what is there at its first call. */
export function createJournalTail(folder: string): JournalTail {
  /** Bytes read of each file. */
  const positions = new Map<string, number>()
  return {
    async readNew(onLine, firstDay = '') {
      const files = journalFiles(folder).filter((path) => dayOf(path) >= firstDay)
      for (const path of positions.keys()) if (!files.includes(path)) positions.delete(path)
      for (const path of files) {
        const { size } = await stat(path).catch(() => ({ size: 0 }))
        const start = positions.get(path) ?? 0
        if (size > start) positions.set(path, await readPart(path, start, size, onLine))
      }
    },
  }
}

/** Reads whole lines only: the last one may be unfinished. Returns the new position. */
async function readPart(
  path: string,
  start: number,
  end: number,
  onLine: (line: JournalLine) => void,
): Promise<number> {
  let position = start
  const input = createReadStream(path, { start, end: end - 1 })
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const next = position + Buffer.byteLength(text) + 1
    if (next > end) break
    position = next
    const line = parseLine(text)
    if (line) onLine(line)
  }
  return position
}
