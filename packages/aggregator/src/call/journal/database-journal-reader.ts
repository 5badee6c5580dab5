import type { Database } from '#base/database'
import { verifyDatabaseJournal } from './database-verify.ts'
import type { JournalLine } from './journal.ts'
import type { JournalReader } from './journal-reader.ts'
import type { JournalTail } from './journal-tail.ts'
import { parseLine } from './read-journal.ts'

/** Rows of one statement. Columns are qualified where a text of the same name is selected. */
const maxRows = 2_000

interface Row extends Record<string, unknown> {
  day: string
  replica: string
  number: string
  time: string
  line: string
}

/** Reads the journal of all replicas. */
export function createDatabaseJournalReader({ query }: Database): JournalReader {
  /** All rows in the order of their writers, from a day on. */
  async function* rows(sinceDay: string): AsyncGenerator<Row> {
    let at: readonly string[] = [sinceDay || '0001-01-01', '', '0']
    for (;;) {
      const batch = await query<Row>(
        `SELECT day::text, replica, number::text, time, line FROM pith_journal
         WHERE (day, replica, number) > ($1::date, $2, $3::bigint)
         ORDER BY pith_journal.day, replica, pith_journal.number LIMIT ${maxRows}`,
        at,
      )
      yield* batch
      const last = batch.at(-1)
      if (last === undefined || batch.length < maxRows) return
      at = [last.day, last.replica, last.number]
    }
  }

  return {
    async *read(since = '') {
      for await (const { line: text } of rows(since.slice(0, 10))) {
        const line = parseLine(text)
        if (line !== undefined && line.time >= since) yield line
      }
    },
    async search({ matches, text, since = '', until, limit, before, signal }) {
      const lines: JournalLine[] = []
      let next: string | undefined
      // Time, replica and number, so that lines of the same time have an order.
      let [time, replica, number] = before?.split(' ') ?? [until ?? '9999', '~', '0']
      for (;;) {
        signal?.throwIfAborted()
        const batch = await query<Row>(
          `SELECT replica, number::text, time, line FROM pith_journal
           WHERE (time, replica, number) < ($1, $2, $3::bigint) AND time >= $4
             AND ($5::text IS NULL OR position($5 IN lower(line)) > 0)
           ORDER BY time DESC, replica DESC, pith_journal.number DESC LIMIT ${maxRows}`,
          [time, replica, number, since, text ?? null],
        )
        for (const row of batch) {
          const line = parseLine(row.line)
          if (line === undefined || !matches(line)) continue
          if (lines.length === limit) return { lines, next }
          lines.push(line)
          next = `${row.time} ${row.replica} ${row.number}`
        }
        const last = batch.at(-1)
        if (last === undefined || batch.length < maxRows) return { lines, next: undefined }
        ;({ time, replica, number } = last)
      }
    },
    tail: () => createTail(query),
    verify: () => verifyDatabaseJournal(query),
  }
}

/** A writer inserts its lines in the order of their numbers, one statement after the other. */
function createTail(query: Database['query']): JournalTail {
  const read = new Map<string, string>()
  return {
    async readNew(onLine, firstDay = '0001-01-01') {
      for (;;) {
        const batch = await query<Row>(
          `SELECT one.replica, one.number::text, one.line FROM pith_journal AS one
           LEFT JOIN unnest($1::text[], $2::bigint[]) AS known (replica, number)
             ON known.replica = one.replica
           WHERE one.day >= $3::date AND one.number > coalesce(known.number, 0)
           ORDER BY one.replica, one.number LIMIT ${maxRows}`,
          [[...read.keys()], [...read.values()], firstDay || '0001-01-01'],
        )
        for (const { replica, number, line: text } of batch) {
          read.set(replica, number)
          const line = parseLine(text)
          if (line) onLine(line)
        }
        if (batch.length < maxRows) return
      }
    },
  }
}
