import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { groupBy } from '#servers/protocol/group-by'
import { dayAfter } from './expired-until.ts'
import type { JournalLine } from './journal.ts'
import { dayOf, journalFiles } from './journal-files.ts'
import { parseLine } from './read-journal.ts'

/**
 * What to search a journal for. `since` and `until` are ISO 8601 times; results are newest first.
 */
export interface JournalSearch {
  /** True for lines to return. */
  matches(line: JournalLine): boolean
  /** In any member; lower case. */
  text?: string | undefined
  /** ISO 8601; the earliest and the latest time. */
  since?: string | undefined
  until?: string | undefined
  /** Maximum number of lines. */
  limit: number
  /** The `next` of an earlier search. */
  before?: string | undefined
  signal?: AbortSignal | undefined
}

/** Searches a journal, the newest lines first; `next` continues with older ones. */
export async function searchJournal(
  folder: string,
  search: JournalSearch,
): Promise<{ lines: JournalLine[]; next: string | undefined }> {
  const { since = '', until = never, limit, before = never } = search
  let hits: Found[] = []
  let isMore = false
  const days = groupBy(journalFiles(folder), dayOf)
  const [last = ''] = [before, until].sort()
  for (const [day, files] of [...days].reverse()) {
    if (day < since.slice(0, 10)) break
    // Calls that began before midnight are in the file of the day they ended on.
    if (hits.filter(({ key }) => key >= dayAfter(day)).length >= limit) {
      isMore = true
      break
    }
    // Files of later days contain no older lines.
    if (day > dayAfter(last)) continue
    for (const path of files)
      for await (const hit of linesOf(path, search)) {
        if (hit.key >= before || hit.line.time > until || hit.line.time < since) continue
        hits.push(hit)
        if (hits.length < limit * 4 + 1_000) continue
        hits = newest(hits, limit)
        isMore = true
      }
  }
  const lines = newest(hits, limit)
  isMore ||= hits.length > limit
  return {
    lines: lines.map(({ line }) => line),
    next: isMore ? lines.at(-1)?.key : undefined,
  }
}

/** Later than all lines. */
const never = '9999-12-30'

interface Found {
  /** Time, file and line number: unique and sortable. */
  key: string
  line: JournalLine
}

const newest = (hits: Found[], limit: number): Found[] =>
  hits.sort((a, b) => (a.key < b.key ? 1 : -1)).slice(0, limit)

async function* linesOf(
  path: string,
  { matches, text, signal }: JournalSearch,
): AsyncGenerator<Found> {
  const file = path.slice(-24)
  let number = 0
  for await (const raw of createInterface({ input: createReadStream(path) })) {
    signal?.throwIfAborted()
    number++
    if (text !== undefined && !raw.toLowerCase().includes(text)) continue
    const line = parseLine(raw)
    if (line && matches(line))
      yield { key: `${line.time} ${file} ${String(number).padStart(8, '0')}`, line }
  }
}
