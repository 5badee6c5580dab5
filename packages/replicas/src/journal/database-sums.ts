import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#base/database'
import { parseLine } from '#journal/read-journal'
import {
  createUsage,
  type UsageGroup,
  type UsageReport,
  type UsageSums,
  usageGroups,
} from '#journal/usage'
import { groupBy } from '#servers/protocol/group-by'
import { firstDay, linesAfter, newestFirst, runsSince } from './database-lines.ts'

/**
 * Usage of an hour, of the lines that are under one day, and up to which number lines of a writer are
 * in such sums: later lines are not, whichever version wrote them.
 */
export const journalSumsSchema = `CREATE TABLE pith_journal_sums (
  by text NOT NULL, day date NOT NULL, hour text NOT NULL, sums text NOT NULL,
  PRIMARY KEY (by, day, hour));
CREATE TABLE pith_journal_summed (replica text PRIMARY KEY, number bigint NOT NULL)`

interface Sums extends Record<string, unknown> {
  by: UsageGroup
  day: string
  hour: string
  sums: string
}

type Query = Database['query']

/** Days are sums of any other group. */
const summedGroups = usageGroups.filter((by) => by !== 'day')
const hourMs = 3_600_000
/** Lines of one transaction. */
const maxLines = 10_000
/** Lines that are written before all new ones are summed up: what `stats` reads one by one. */
const summedLines = 5_000
/** Milliseconds between transactions that sum up many lines, in which calls go on. */
const summingPauseMs = 100

const summedUntil = async (query: Query): Promise<Map<string, number>> => {
  const rows = await query<{ replica: string; number: number }>(
    'SELECT replica, number::float8 FROM pith_journal_summed',
  )
  return new Map(rows.map(({ replica, number }) => [replica, number]))
}

/** Sums up lines that are in no sum yet. Resolves to false if that were all, or another replica does so. */
export const sumLines = (database: Database): Promise<boolean> =>
  database.transaction(async (query) => {
    const [lock] = await query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('pith_journal_sums', 0)) AS "isOurs"`,
    )
    if (lock?.isOurs !== true) return false
    const until = await summedUntil(query)
    const hours = new Map<string, ReturnType<typeof createUsage>>()
    let lines = 0
    for (const [replica, runs] of groupBy(await runsSince(query), (run) => run.replica)) {
      for await (const row of linesAfter(query, runs, until.get(replica))) {
        until.set(replica, row.number)
        const line = parseLine(row.line)
        for (const by of line ? summedGroups : []) {
          const key = `${by} ${row.day} ${line?.time.slice(0, 13)}`
          const usage = hours.get(key) ?? createUsage(by)
          hours.set(key, usage)
          if (line) usage.add(line)
        }
        if (++lines === maxLines) break
      }
      if (lines === maxLines) break
    }
    if (lines > 0) await addSums(query, hours, until)
    return lines === maxLines
  })

/** Sums up lines, for `stats`. No line waits for that. */
export function createSummer(database: Database, onLog: (text: string) => void) {
  let running: Promise<void> | undefined
  let isClosed = false
  let isDue = false
  let newLines = 0
  async function sumAll(): Promise<void> {
    isDue = false
    while (!isClosed && ((await sumLines(database)) || isDue)) {
      isDue = false
      await sleep(summingPauseMs, undefined, { ref: false })
    }
  }
  function update(): void {
    newLines = 0
    isDue = true
    running ??= sumAll()
      .catch(({ message }: Error) => onLog(`The journal cannot be summed up: ${message}.`))
      .finally(() => {
        running = undefined
      })
  }
  return {
    update,
    /** Notes lines that this writer has written. */
    add(lines: number): void {
      newLines += lines
      if (newLines >= summedLines) update()
    },
    close(): Promise<void> | undefined {
      isClosed = true
      return running
    },
  }
}

async function addSums(
  query: Query,
  hours: ReadonlyMap<string, ReturnType<typeof createUsage>>,
  until: ReadonlyMap<string, number>,
): Promise<void> {
  const keys = [0, 1, 2].map((at) => [...hours.keys()].map((key) => key.split(' ')[at]))
  const earlier = await query<Sums>(
    `SELECT by, day::text, hour, sums FROM pith_journal_sums
     JOIN unnest($1::text[], $2::date[], $3::text[]) AS keys (by, day, hour) USING (by, day, hour)`,
    keys,
  )
  for (const { by, day, hour, sums } of earlier)
    hours.get(`${by} ${day} ${hour}`)?.include(JSON.parse(sums) as UsageSums)
  await query(
    `INSERT INTO pith_journal_sums SELECT * FROM unnest($1::text[], $2::date[], $3::text[], $4::text[])
     ON CONFLICT (by, day, hour) DO UPDATE SET sums = excluded.sums`,
    [...keys, [...hours.values()].map((usage) => JSON.stringify(usage.sums()))],
  )
  await query(
    `INSERT INTO pith_journal_summed SELECT * FROM unnest($1::text[], $2::bigint[])
     ON CONFLICT (replica) DO UPDATE SET number = excluded.number`,
    [[...until.keys()], [...until.values()]],
  )
}

/** The same as from the lines: from sums of whole hours, and from lines that are in none of them. */
export async function databaseUsage(
  database: Database,
  by: UsageGroup,
  since: string,
): Promise<UsageReport> {
  const { query } = database
  const usage = createUsage(by)
  const [day, hour] = [firstDay(since), since.slice(0, 13)]
  const until = await database.transaction(async (ask) => {
    await ask('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const ofGroup = by === 'day' ? 'outcome' : by
    // The partition may have been removed by an earlier version.
    const days = await ask<{ day: string }>(
      `SELECT DISTINCT day::text FROM pith_journal_sums WHERE by = $1 AND day >= $2::date
         AND to_regclass('pith_journal_' || to_char(day, 'YYYYMMDD')) IS NOT NULL`,
      [ofGroup, day],
    )
    for (const { day: summedDay } of days) {
      const rows = await ask<Sums>(
        `SELECT hour, sums FROM pith_journal_sums WHERE by = $1 AND day = $2::date AND hour > $3`,
        [ofGroup, summedDay, hour],
      )
      for (const row of rows)
        usage.include(JSON.parse(row.sums) as UsageSums, by === 'day' ? row.hour.slice(0, 10) : '')
    }
    return summedUntil(ask)
  })
  const add = (text: string): void => {
    const line = parseLine(text)
    if (line !== undefined && line.time >= since) usage.add(line)
  }
  const next = hour && new Date(Date.parse(`${hour}:00:00.000Z`) + hourMs).toISOString()
  if (next)
    for await (const row of newestFirst(query, { since }, [next, '', 0]))
      if (row.number <= (until.get(row.replica) ?? 0)) add(row.line)
  for (const [replica, runs] of groupBy(await runsSince(query, day), (run) => run.replica))
    for await (const row of linesAfter(query, runs, until.get(replica))) add(row.line)
  return usage.report()
}
