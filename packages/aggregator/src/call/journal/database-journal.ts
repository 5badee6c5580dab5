import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { withResolvers } from '../../protocol/with-resolvers.ts'
import type { Database } from '../../shared/database.ts'
import { chained } from './chain.ts'
import { type Journal, type JournalLine, type JournalLoss, requestKinds } from './journal.ts'

export interface DatabaseJournalOptions {
  database: Database
  /** The only writer of this name. */
  replica: string
  onLog: (text: string) => void
  retentionDays?: number | undefined
  /** Calls whose line cannot be written in time are refused. */
  failClosed?: boolean | undefined
}

/** Days are of the database, since clocks of replicas differ. A line is JSON, with its chain value. */
export const journalSchema = `CREATE TABLE pith_journal (
  day date NOT NULL, replica text NOT NULL, number bigint NOT NULL, time text NOT NULL,
  line text NOT NULL, PRIMARY KEY (day, replica, number)) PARTITION BY RANGE (day);
CREATE INDEX ON pith_journal (time, replica, number)`

/** Milliseconds for which a reply waits for its line. */
const waitMs = 3_000
/** For one statement: a connection that is silent for longer is replaced. */
const insertMs = 2_000
const retryMs = 250
/** Lines that wait for the database; further ones are lost, and counted. */
const maxWaiting = 10_000
/** Lines of one statement. */
const maxLines = 1_000
/** Milliseconds between checks for partitions of new and expired days. */
const tidyMs = 3_600_000

interface Waiting {
  line: JournalLine
  settle(): void
}

/**
 * A journal in PostgreSQL, with one partition a day. All lines that come while a statement runs share
 * the next one. Lines are kept and written again until the database has them.
 */
export function createDatabaseJournal(options: DatabaseJournalOptions): Journal {
  const { failClosed = false } = options
  const waiting: Waiting[] = []
  const table = createJournalTable(options)
  let chain = ''
  let lost = 0
  let loss: JournalLoss | undefined
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    // Lines of one tick share a statement.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxLines)
      const texts = group.map(({ line }) => JSON.stringify(line)).join('\n')
      const [text, next] = chained(texts, chain, true)
      await table.insert(
        text.trimEnd().split('\n'),
        group.map(({ line }) => line.time),
      )
      chain = next
      waiting.splice(0, group.length)
      noteLost()
      for (const { settle } of group) settle()
    }
  }

  function noteLost(): void {
    if (lost === 0 || loss === undefined) return
    const { time, message } = loss
    options.onLog(`The journal has lost ${lost} ${lost === 1 ? 'line' : 'lines'}: ${message}.`)
    void enqueue({ time, kind: 'event', outcome: 'journal_gap', count: lost, message })
    lost = 0
  }

  function enqueue(line: JournalLine): Promise<void> {
    if (waiting.length >= maxWaiting) {
      lost++
      const message = table.problem() ?? 'too many lines wait'
      loss = { lines: (loss?.lines ?? 0) + 1, message, time: new Date().toISOString() }
      return Promise.resolve()
    }
    const { promise, resolve } = withResolvers<void>()
    waiting.push({ line, settle: resolve })
    writing ??= writeAll()
      .catch(() => {})
      .finally(() => {
        writing = undefined
      })
    return promise
  }

  return {
    async write(line) {
      const written = enqueue(line)
      if (table.problem() === undefined || failClosed) {
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<'late'>((resolve) => {
          timer = setTimeout(() => resolve('late'), waitMs)
        })
        const outcome = await Promise.race([written, late]).finally(() => clearTimeout(timer))
        const isOfCall = requestKinds.includes(line.kind)
        if (outcome === 'late' && failClosed && isOfCall)
          throw refusal(table.problem(), 'It may have been done, but its result is withheld.')
      }
    },
    check() {
      if (failClosed && table.problem() !== undefined)
        throw refusal(table.problem(), 'Nothing was done.')
    },
    loss: () => loss,
    async close() {
      table.close()
      await Promise.race([writing, sleep(waitMs, undefined, { ref: false })])
    },
  }
}

/** The lines of one writer, with its partitions. */
function createJournalTable(options: DatabaseJournalOptions) {
  const { database, replica, onLog, retentionDays = 90 } = options
  let number = 0
  let problem: string | undefined
  let tidiedAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  async function tidy(): Promise<void> {
    if (performance.now() - tidiedAt < tidyMs) return
    await prepareDays(database, retentionDays)
    tidiedAt = performance.now()
  }

  function failed({ message }: Error): void {
    if (problem === undefined) onLog(`The journal cannot be written: ${message}.`)
    problem = message.slice(0, 200)
    // A partition may be missing.
    tidiedAt = Number.NEGATIVE_INFINITY
  }

  async function tryInsert(values: readonly unknown[]): Promise<void> {
    try {
      await tidy()
      await database.query(insert, values, insertMs)
    } catch (error) {
      // A statement whose answer was lost has been done.
      if ((error as { code?: string }).code !== '23505') throw error
    }
  }

  return {
    /** Why the last statement failed. */
    problem: () => problem,
    /** Inserts lines, again until the database has them. Rejects after `close` only. */
    async insert(lines: readonly string[], times: readonly string[]): Promise<void> {
      const values = [replica, lines.map((_, index) => number + index + 1), times, lines]
      for (;;)
        try {
          await tryInsert(values)
          break
        } catch (error) {
          failed(error as Error)
          if (isClosed) throw error
          await sleep(retryMs, undefined, { ref: false })
        }
      number += lines.length
      if (problem !== undefined) onLog('The journal can be written again.')
      problem = undefined
    },
    close() {
      isClosed = true
    },
  }
}

/** Does nothing if an earlier attempt has inserted the lines before midnight. */
const insert = `INSERT INTO pith_journal (day, replica, number, time, line)
SELECT (now() AT TIME ZONE 'UTC')::date, $1, number, time, line
FROM unnest($2::bigint[], $3::text[], $4::text[]) AS lines (number, time, line)
WHERE NOT EXISTS (SELECT FROM pith_journal AS earlier WHERE earlier.replica = $1
  AND earlier.number = $2[1] AND earlier.day = (now() AT TIME ZONE 'UTC')::date - 1)`

/** Creates the partitions of today and tomorrow, and drops those of expired days. */
async function prepareDays(database: Database, retentionDays: number): Promise<void> {
  const [days] = await database.query<Record<string, string>>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS today, to_char(day + 1, 'YYYY-MM-DD') AS tomorrow,
       to_char(day + 2, 'YYYY-MM-DD') AS after, to_char(day - $1::int, 'YYYYMMDD') AS oldest
     FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS day) AS one`,
    [retentionDays],
    insertMs,
  )
  const { today = '', tomorrow = '', after = '', oldest = '' } = days ?? {}
  for (const [from, to] of [
    [today, tomorrow],
    [tomorrow, after],
  ] as const)
    await database
      .query(
        `CREATE TABLE IF NOT EXISTS pith_journal_${from.replaceAll('-', '')}
         PARTITION OF pith_journal FOR VALUES FROM ('${from}') TO ('${to}')`,
      )
      .catch(ifThere)
  const partitions = await database.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relname ~ '^pith_journal_[0-9]{8}$' AND relkind = 'r'",
  )
  for (const { name } of partitions)
    if (name.slice(-8) < oldest) await database.query(`DROP TABLE IF EXISTS ${name}`)
}

/** Another replica creates the same partition: one of them gets an error. */
function ifThere(error: unknown): never[] {
  if (['42P07', '23505', '42P17'].includes(String((error as { code?: string }).code))) return []
  throw error
}

const refusal = (problem = 'it does not answer', done: string): AggregatorError =>
  new AggregatorError(
    'journal_unwritable',
    `The journal in the database cannot be written: ${problem}. ${done}`,
    'The operator must repair the database; the journal is set to failClosed.',
  )
