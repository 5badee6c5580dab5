import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#base/database'
import { chained, seedOf } from '#journal/chain'
import { dayAfter, removalLine } from '#journal/expired-until'
import { type Journal, type JournalLine, type JournalLoss, requestKinds } from '#journal/journal'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { withResolvers } from '#servers/protocol/with-resolvers'
import { prepareDays, removeExpired, statementMs } from './database-days.ts'
import { createSummer } from './database-sums.ts'

export interface DatabaseJournalOptions {
  database: Database
  /** The only writer of this name. */
  replica: string
  onLog: (text: string) => void
  retentionDays?: number | undefined
  /** Calls whose line cannot be written in time are refused. */
  failClosed?: boolean | undefined
  now?: (() => Date) | undefined
}

/** Days are of the database, since clocks of replicas differ. A line is JSON, with its chain value. */
export const journalSchema = `CREATE TABLE pith_journal (
  day date NOT NULL, replica text NOT NULL, number bigint NOT NULL, time text NOT NULL,
  line text NOT NULL, PRIMARY KEY (day, replica, number)) PARTITION BY RANGE (day);
CREATE INDEX ON pith_journal (time, replica, number)`

/**
 * Which lines of a writer and day there should be, and the chain value of the last one. Rows stay;
 * `removed` is the day on which retention removed the lines.
 */
export const journalWritersSchema = `CREATE TABLE pith_journal_writers (
  replica text NOT NULL, day date NOT NULL, first bigint NOT NULL, number bigint NOT NULL,
  chain text NOT NULL, removed date, PRIMARY KEY (replica, day)) WITH (fillfactor = 50)`

/** Milliseconds for which a reply waits for its line. */
const waitMs = 3_000
/** The same before a call is sent: its line at the end waits, too. */
const begunMs = 1_000
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
  const queue: Waiting[] = []
  const table = createJournalTable(options, (line) => void enqueue(line))
  let chain = seedOf(options.replica)
  let lost = 0
  let loss: JournalLoss | undefined
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    // Lines of one tick share a statement.
    await new Promise((resolve) => setImmediate(resolve))
    while (queue.length > 0) {
      const group = queue.slice(0, maxLines)
      const texts = group.map(({ line }) => JSON.stringify(line)).join('\n')
      const [text, next] = chained(texts, chain, true)
      const times = group.map(({ line }) => line.time)
      await table.insert(text.trimEnd().split('\n'), times, next)
      chain = next
      queue.splice(0, group.length)
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
    if (queue.length >= maxWaiting) {
      lost++
      const message = table.problem() ?? 'too many lines wait'
      loss = { lines: (loss?.lines ?? 0) + 1, message, time: new Date().toISOString() }
      return Promise.resolve()
    }
    const { promise, resolve } = withResolvers<void>()
    queue.push({ line, settle: resolve })
    writing ??= writeAll()
      .catch(() => {})
      .finally(() => {
        writing = undefined
      })
    return promise
  }

  return {
    async write(line) {
      const pending = enqueue(line)
      const isBegun = line.kind === 'begun'
      if (table.problem() === undefined || failClosed || isBegun) {
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<'late'>((resolve) => {
          timer = setTimeout(() => resolve('late'), isBegun ? begunMs : waitMs)
        })
        const outcome = await Promise.race([pending, late]).finally(() => clearTimeout(timer))
        if (outcome === 'late' && isBegun) throw refusal(table.problem(), 'Nothing was called.')
        const isOfCall = requestKinds.includes(line.kind)
        if (outcome === 'late' && failClosed && isOfCall)
          throw refusal(table.problem(), 'It may have been done, but its result is withheld.')
      }
    },
    check() {
      const refuse = (): void => {
        if (table.problem() !== undefined) throw refusal(table.problem(), 'Nothing was done.')
      }
      if (!failClosed) return undefined
      return table.isTried() ? refuse() : table.tryOnce().then(refuse)
    },
    loss: () => loss,
    async close() {
      const flush = table.close().then(() => writing)
      await Promise.race([flush, sleep(waitMs, undefined, { ref: false })])
    },
  }
}

/** The lines of one writer, with its partitions. `onRemoved` gets a line for each day. */
function createJournalTable(
  options: DatabaseJournalOptions,
  onRemoved: (line: JournalLine) => void,
) {
  const { database, replica, onLog, now = () => new Date() } = options
  const expired = createRemover(options, onRemoved)
  const sums = createSummer(database, onLog)
  let number = 0
  let problem: string | undefined
  let tidiedAt = Number.NEGATIVE_INFINITY
  /** No line is inserted under an earlier day. */
  let earliest = ''
  let isTried = false
  let isClosed = false

  async function tidy(): Promise<void> {
    if (performance.now() - tidiedAt < tidyMs) return
    const localDay = now().toISOString().slice(0, 10)
    const prepared = await prepareDays(database, localDay)
    ;({ earliest } = prepared)
    tidiedAt = performance.now()
    expired.remove(prepared.today, localDay)
    sums.update()
  }

  function failed({ message }: Error): void {
    if (problem === undefined) onLog(`The journal cannot be written: ${message}.`)
    problem = message.slice(0, 200)
    // A partition may be missing.
    tidiedAt = Number.NEGATIVE_INFINITY
  }

  function worked(): void {
    if (problem !== undefined) onLog('The journal can be written again.')
    problem = undefined
    isTried = true
  }

  async function tryInsert(lines: readonly string[], times: readonly string[], chain: string) {
    try {
      await tidy()
      const numbers = lines.map((_, index) => number + index + 1)
      await database.query(insert, [replica, numbers, times, lines, earliest, chain], statementMs)
    } catch (error) {
      // A statement whose answer was lost has been done.
      if ((error as { code?: string }).code !== '23505') throw error
    }
  }

  return {
    /** Why the last statement failed. */
    problem: () => problem,
    isTried: () => isTried,
    /** Inserts no line, to learn whether one could be. Resolves in any case. */
    async tryOnce(): Promise<void> {
      await tryInsert([], [], '').then(worked, failed)
    },
    /** Inserts lines, again until the database has them. Rejects after `close` only. */
    async insert(lines: readonly string[], times: readonly string[], chain: string): Promise<void> {
      for (;;)
        try {
          await tryInsert(lines, times, chain)
          break
        } catch (error) {
          failed(error as Error)
          if (isClosed) throw error
          await sleep(retryMs, undefined, { ref: false })
        }
      number += lines.length
      sums.add(lines.length)
      worked()
    },
    /** Resolves when no day is being removed, and no line summed up any more. */
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([expired.settled(), sums.close()])
    },
  }
}

/** Removes expired days, one at a time. No line waits for that. */
function createRemover(
  { database, onLog, retentionDays = 90, now = () => new Date() }: DatabaseJournalOptions,
  onRemoved: (line: JournalLine) => void,
) {
  let running: Promise<void> | undefined
  return {
    settled: () => running,
    /** The day of the database, and ours: of two clocks that differ, one is wrong. */
    remove(today: string, localDay: string): void {
      if (today < dayAfter(localDay, -1) || today > dayAfter(localDay)) return
      running ??= removeExpired(database, today, retentionDays)
        .then((removal) => {
          if (removal) onRemoved(removalLine(removal, now()))
        })
        .catch(({ message }: Error) =>
          onLog(`Expired days of the journal cannot be removed: ${message}.`),
        )
        .finally(() => {
          running = undefined
        })
    },
  }
}

/** The day of the database, unless its clock went back. */
const day = "greatest((now() AT TIME ZONE 'UTC')::date, $5::date)"

/** Does nothing if an earlier attempt has inserted the lines. */
const insert = `WITH written AS (
  INSERT INTO pith_journal (day, replica, number, time, line)
  SELECT ${day}, $1, number, time, line
  FROM unnest($2::bigint[], $3::text[], $4::text[]) AS lines (number, time, line)
  WHERE NOT EXISTS (SELECT FROM pith_journal_writers AS earlier
    WHERE earlier.replica = $1 AND earlier.number >= ($2::bigint[])[1])
  RETURNING number)
INSERT INTO pith_journal_writers (replica, day, first, number, chain)
SELECT $1, ${day}, min(number), max(number), $6 FROM written HAVING count(*) > 0
ON CONFLICT (replica, day) DO UPDATE SET number = excluded.number, chain = excluded.chain`

const refusal = (problem = 'it does not answer', done: string): AggregatorError =>
  new AggregatorError(
    'journal_unwritable',
    `The journal in the database cannot be written: ${problem}. ${done}`,
    'The operator must repair the database: a call that may change something needs its line, and with failClosed each call does.',
  )
