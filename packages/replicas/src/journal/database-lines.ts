import type { Database } from '#base/database'
import { dayAfter } from '#journal/expired-until'

type Query = Database['query']

/** Lines of one statement, and of the first one for a page. */
const maxRows = 2_000
const firstRows = 250

/** The first day with lines from a time on. Days are of the database, and times of replicas. */
export const firstDay = (since: string): string => (since ? dayAfter(since, -1) : '0001-01-01')

/** The first and last number of what one writer has written on one day. */
export interface Run extends Record<string, unknown> {
  day: string
  replica: string
  first: number
  last: number
}

export interface Row extends Record<string, unknown> {
  day: string
  number: number
  line: string
}

/** All days and writers from a day on, in their order. Reads entries of the key, and no lines. */
export const runsSince = (query: Query, day = firstDay('')): Promise<Run[]> =>
  query<Run>(
    `WITH RECURSIVE days (day) AS (
       SELECT to_date(right(relname, 8), 'YYYYMMDD') FROM pg_class
       WHERE relname ~ '^pith_journal_[0-9]{8}$' AND relkind = 'r'),
     written (day, replica) AS (
       SELECT day, (${entryOf('days', 'min(replica)')}) FROM days WHERE day >= $1::date
       UNION ALL
       SELECT day, (${entryOf('written', 'min(replica)')} AND one.replica > written.replica)
       FROM written WHERE replica IS NOT NULL)
     SELECT day::text, replica,
       (${entryOf('written', 'min(number)')} AND one.replica = written.replica)::float8 AS first,
       (${entryOf('written', 'max(number)')} AND one.replica = written.replica)::float8 AS last
     FROM written WHERE replica IS NOT NULL ORDER BY written.day, replica`,
    [day],
  )

/** The second condition is known when the statement is planned: partitions of earlier days are left out. */
const entryOf = (table: string, value: string): string =>
  `SELECT ${value} FROM pith_journal AS one WHERE one.day = ${table}.day AND one.day >= $1::date`

/**
 * Lines of one writer after a number, in their order. A statement names the days and a range of
 * numbers, so that it is answered from the key, whatever the planner knows of a new partition.
 */
export async function* linesAfter(
  query: Query,
  runs: readonly Run[],
  after = 0,
): AsyncGenerator<Row> {
  for (let at = after; ; at += maxRows) {
    const rest = runs.filter(({ last }) => last > at)
    if (rest.length === 0) return
    at = Math.max(at, Math.min(...rest.map(({ first }) => first)) - 1)
    const days = rest.filter(({ first }) => first <= at + maxRows).map(({ day }) => day)
    yield* await query<Row>(
      `SELECT day::text, number::float8, line FROM pith_journal AS one
       WHERE day = ANY ($1::date[]) AND replica = $2 AND number > $3 AND number <= $4
       ORDER BY one.number`,
      [days, rest[0]?.replica, at, at + maxRows],
    )
  }
}

/** A line and its place among those of the same time. */
export interface Timed extends Record<string, unknown> {
  time: string
  replica: string
  number: number
  line: string
}

/** Lines before a place, the newest first. `text`, in lower case, is in any member. */
export async function* newestFirst(
  query: Query,
  { since, text }: { since: string; text?: string | undefined },
  place: readonly [time: string, replica: string, number: number],
): AsyncGenerator<Timed> {
  let [time, replica, number] = place
  for (let rows = firstRows; ; rows = Math.min(rows * 2, maxRows)) {
    const batch = await query<Timed>(
      `SELECT time, replica, number::float8, line FROM pith_journal AS one
       WHERE (time, replica, number) < ($1, $2, $3) AND time >= $4 AND day >= $5::date
         AND ($6::text IS NULL OR position($6 IN lower(line)) > 0)
       ORDER BY time DESC, replica DESC, one.number DESC LIMIT ${rows}`,
      [time, replica, number, since, firstDay(since), text ?? null],
    )
    yield* batch
    const last = batch.at(-1)
    if (last === undefined || batch.length < rows) return
    ;({ time, replica, number } = last)
  }
}
