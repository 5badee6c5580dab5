import type { Database } from '#base/database'
import { createOpenEffects } from '#journal/effects'
import type { JournalLine } from '#journal/journal'
import type { JournalReader } from '#journal/journal-reader'
import type { JournalTail } from '#journal/journal-tail'
import { parseLine } from '#journal/read-journal'
import { groupBy } from '#servers/protocol/group-by'
import { firstDay, linesAfter, newestFirst, runsSince } from './database-lines.ts'
import { databaseUsage } from './database-sums.ts'
import { verifyDatabaseJournal } from './database-verify.ts'

/** Milliseconds: a call waits for it. */
const effectsMs = 1_500

/** Reads the journal of all replicas. */
export function createDatabaseJournalReader(database: Database): JournalReader {
  const { query } = database
  return {
    async *read(since = '') {
      for (const run of await runsSince(query, firstDay(since)))
        for await (const row of linesAfter(query, [run])) {
          const line = parseLine(row.line)
          if (line !== undefined && line.time >= since) yield line
        }
    },
    usage: (by, since = '') => databaseUsage(database, by, since),
    async search({ matches, text, since = '', until, limit, before, signal }) {
      const lines: JournalLine[] = []
      let next: string | undefined
      // Time, replica and number, so that lines of the same time have an order.
      const [time = '', replica = '', number] = before?.split(' ') ?? [until ?? '9999', '~', '0']
      const place = [time, replica, Number(number)] as const
      for await (const row of newestFirst(query, { since, text }, place)) {
        signal?.throwIfAborted()
        const line = parseLine(row.line)
        if (line === undefined || !matches(line)) continue
        if (lines.length === limit) return { lines, next }
        lines.push(line)
        next = `${row.time} ${row.replica} ${row.number}`
      }
      return { lines, next: undefined }
    },
    tail: () => createTail(query),
    effects: () => async (key, since) => {
      const rows = await query<{ line: string }>(
        `SELECT line FROM pith_journal WHERE time >= $1 AND day >= $2::date AND position($3 IN line) > 0`,
        [since, firstDay(since), `"effect":"${key}:`],
        effectsMs,
      )
      const effects = createOpenEffects()
      effects.add(rows.flatMap((row) => parseLine(row.line) ?? []))
      return effects.of(key)
    },
    verify: () => verifyDatabaseJournal(query),
  }
}

/** A writer inserts its lines in the order of their numbers, one statement after the other. */
function createTail(query: Database['query']): JournalTail {
  const read = new Map<string, number>()
  return {
    async readNew(onLine, day) {
      const writers = groupBy(await runsSince(query, day), ({ replica }) => replica)
      for (const [replica, runs] of writers)
        for await (const { number, line: text } of linesAfter(query, runs, read.get(replica))) {
          read.set(replica, number)
          const line = parseLine(text)
          if (line) onLine(line)
        }
    },
  }
}
