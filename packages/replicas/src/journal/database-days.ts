import { type Database, ifThere } from '#base/database'
import { dayAfter, expiredUntil, keptUnder, type Removal } from '#journal/expired-until'

/** Milliseconds for one statement: a connection that is silent for longer is replaced. */
export const statementMs = 2_000

/**
 * Creates the partitions of today and tomorrow, by the clock of the database. No line is to be
 * inserted under a day before `earliest`: that clock has gone back then.
 */
export async function prepareDays({ query }: Database, localDay: string) {
  const [row] = await query<{ today: string }>(
    "SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today",
    [],
    statementMs,
  )
  const today = row?.today ?? localDay
  for (const day of [today, dayAfter(today)])
    await query(
      `CREATE TABLE IF NOT EXISTS ${partitionOf(day)}
       PARTITION OF pith_journal FOR VALUES FROM ('${day}') TO ('${dayAfter(day)}')`,
      [],
      statementMs,
    ).catch(ifThere('42P07', '23505', '42P17'))
  const days = await partitionDays(query)
  return { today, earliest: keptUnder({ today, days }) ?? dayAfter(today, -1) }
}

/** Drops the partition of one expired day, and empty ones. Resolves to what was removed. */
export const removeExpired = (
  database: Database,
  today: string,
  retentionDays: number,
): Promise<Removal | undefined> =>
  database.transaction(async (query) => {
    // Lines wait for a statement that waits for readers.
    await query("SET LOCAL lock_timeout = '500ms'")
    const [lock] = await query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('pith_journal', 0)) AS "isOurs"`,
    )
    if (lock?.isOurs !== true) return undefined
    const days = await partitionDays(query)
    const filled = await filledOf(query, days)
    const { expired = '' } = expiredUntil({ today, days: filled, retentionDays })
    for (const day of days)
      if (day <= expired && !filled.includes(day)) await query(`DROP TABLE ${partitionOf(day)}`)
    const [day] = filled
    if (day === undefined || day > expired) return undefined
    const ofToday = 'SELECT FROM pith_journal_writers WHERE removed = $1::date LIMIT 1'
    if ((await query(ofToday, [today])).length > 0) return undefined
    const [removed] = await query<{ lines: string; bytes: string }>(
      `WITH removed AS (
         INSERT INTO pith_journal_writers AS known (replica, day, first, number, chain, removed)
         SELECT replica, day, min(number), max(number), '', $1::date FROM ${partitionOf(day)}
         GROUP BY replica, day
         ON CONFLICT (replica, day) DO UPDATE SET removed = excluded.removed)
       SELECT count(*) AS lines, pg_total_relation_size('${partitionOf(day)}') AS bytes
       FROM ${partitionOf(day)}`,
      [today],
    )
    await query('DELETE FROM pith_journal_sums WHERE day <= $1::date', [day])
    await query(`DROP TABLE ${partitionOf(day)}`)
    const [lines, bytes] = [Number(removed?.lines), Number(removed?.bytes)]
    return { day, lines, bytes, reason: 'retentionDays' }
  })

const partitionOf = (day: string): string => `pith_journal_${day.replaceAll('-', '')}`

/** The days with a partition, ascending. */
async function partitionDays(query: Database['query']): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relname ~ '^pith_journal_[0-9]{8}$'
     AND relkind = 'r' ORDER BY relname`,
    [],
    statementMs,
  )
  return rows.map(({ name }) => name.slice(-8).replace(/^(.{4})(..)/, '$1-$2-'))
}

/** Those whose partition has lines. */
async function filledOf(query: Database['query'], days: readonly string[]): Promise<string[]> {
  const probes = days.map(
    (day) => `SELECT '${day}' AS day WHERE EXISTS (SELECT FROM ${partitionOf(day)})`,
  )
  const rows = await query<{ day: string }>(`${probes.join(' UNION ALL ')} ORDER BY day`)
  return rows.map(({ day }) => day)
}
