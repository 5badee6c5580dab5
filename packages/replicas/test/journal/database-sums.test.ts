import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#base/database'
import { type Engine, hasPostgres, startPostgres } from '../../../../test/engines.ts'
import { dayAfter } from '../../../journal/src/expired-until.ts'
import type { JournalLine } from '../../../journal/src/journal.ts'
import { usageGroups, usageOf } from '../../../journal/src/usage.ts'
import { migrate, openDatabase } from '../../../server-kit/src/database/index.ts'
import {
  createDatabaseJournal,
  journalSchema,
  journalWritersSchema,
} from '../../src/journal/database-journal.ts'
import { createDatabaseJournalReader } from '../../src/journal/database-journal-reader.ts'
import { journalSumsSchema, sumLines } from '../../src/journal/database-sums.ts'

const perDay = 20_000
const today = new Date().toISOString().slice(0, 10)
const firstDay = dayAfter(today, -5)
let engine: Engine
let database: Awaited<ReturnType<typeof openDatabase>>
const logs: string[] = []

/** Lines of two writers on five days, without sums, as an earlier version writes them. */
async function plant(): Promise<void> {
  for (let ago = 5; ago > 0; ago--) {
    const [from, to] = [dayAfter(today, -ago), dayAfter(today, 1 - ago)]
    await database.query(
      `CREATE TABLE pith_journal_${from.replaceAll('-', '')} PARTITION OF pith_journal
       FOR VALUES FROM ('${from}') TO ('${to}')`,
    )
    await database.query(
      `INSERT INTO pith_journal
       SELECT $1::date, 'w' || one, $2::int + at, time, json_build_object('time', time,
         'kind', (array['call', 'call', 'read', 'list', 'event'])[1 + at % 5],
         'module', 'm' || at % 7, 'tool', 't' || at % 11, 'caller', 'c' || at % 3,
         'ms', at * 7919 % 4001, 'argsTokens', at % 50, 'sentTokens', at % 900,
         'resultTokens', at % 1300, 'outcome', (array['ok', 'rate_limited', 'ok', 'timeout'])[1 + at % 4])
       FROM generate_series(1, 2) AS one, generate_series(1, $3::int) AS at, LATERAL (
         SELECT to_char($1::timestamp + (at - 100) * interval '4 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time) AS times`,
      [from, perDay * (5 - ago), perDay],
    )
  }
}

beforeAll(async () => {
  if (!hasPostgres) return
  engine = await startPostgres({ fsync: 'off', autovacuum: 'off' })
  database = await openDatabase(engine.url, { name: 'sums', onLog: (text) => void logs.push(text) })
  await migrate(database, 'test', [journalSchema, journalWritersSchema, journalSumsSchema])
  await plant()
}, 60_000)
afterAll(async () => {
  await database?.close()
  await engine?.stop()
})

/** What a plan reads of the journal at most in one node, and what it sorts. */
interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Runs all statements, and notes what their plans do with the journal. */
function explained(notes: string[]): Database {
  const noting =
    (run: Database['query']): Database['query'] =>
    async (text, values, ms) => {
      if (/^(?:WITH|SELECT) [^$]*pith_journal /s.test(text)) {
        const [row] = await run<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          values,
        )
        for (const node of nodesOf(row?.['QUERY PLAN'][0].Plan as Plan)) {
          const [type, rows] = [node['Node Type'], node['Actual Rows']]
          const isWhole =
            /^pith_journal_\d/.test(node['Relation Name'] ?? '') && type === 'Seq Scan'
          if (rows > 2_000 || (isWhole && rows > 0)) notes.push(`${type} of ${rows} rows`)
        }
        notes.push('read')
      }
      return run(text, values, ms)
    }
  return {
    query: noting(database.query),
    transaction: (work) => database.transaction((query) => work(noting(query))),
  }
}

describe.skipIf(!hasPostgres)('200,000 lines in PostgreSQL', () => {
  const times = ['', `${dayAfter(today, -3)}T05:17:00.000Z`, `${dayAfter(today, -1)}T20:00:00.000Z`]
  let turn = 0
  /** By each group, from one of the times: another one each time. */
  async function expectSame(): Promise<void> {
    turn++
    const reader = createDatabaseJournalReader(database)
    for (const [at, since] of times.entries()) {
      const lines: JournalLine[] = []
      for await (const line of reader.read(since)) lines.push(line)
      for (const by of usageGroups.filter((_, n) => (n + turn) % times.length === at))
        expect(await reader.usage(by, since)).toEqual(await usageOf(lines, by))
    }
  }

  test.each(['before', 'after'])(
    'are read from the key, %s ANALYZE',
    { timeout: 120_000 },
    async (when) => {
      if (when === 'after') await database.query('ANALYZE')
      const notes: string[] = []
      const reader = createDatabaseJournalReader(explained(notes))
      let lines = 0
      for await (const _ of reader.read()) lines++
      expect(lines).toBe(2 * 5 * perDay)
      await reader.search({ matches: () => true, limit: 5_000 })
      const tail = reader.tail()
      const since = dayAfter(today, -1)
      await tail.readNew(() => {}, since)
      await tail.readNew(() => expect.unreachable('a line was read twice'), since)
      expect((await reader.verify()).lines).toBe(lines)
      expect(notes.length).toBeGreaterThan(200)
      expect(notes.filter((note) => note !== 'read')).toEqual([])
    },
  )

  test('have the same figures in sums as in lines, also half summed up', {
    timeout: 240_000,
  }, async () => {
    for (let half = 0; half < 10; half++) expect(await sumLines(database)).toBe(true)
    await expectSame()
    // Replicas do not sum up the same lines twice.
    while ((await Promise.all([sumLines(database), sumLines(database)])).some((isMore) => isMore));
    await expectSame()
    const [{ number } = {}] = await database.query(
      "SELECT number::int FROM pith_journal_summed WHERE replica = 'w1'",
    )
    expect(number).toBe(5 * perDay)
    // An earlier version writes a line without a sum, and drops a day without its sums.
    await database.query(
      `INSERT INTO pith_journal SELECT day, replica, number + 1, time, line FROM pith_journal
       WHERE replica = 'w1' AND number = ${5 * perDay}`,
    )
    await database.query(`DROP TABLE pith_journal_${firstDay.replaceAll('-', '')}`)
    await expectSame()
  })

  test('are summed up by a replica when it writes', { timeout: 60_000 }, async () => {
    const onLog = (text: string): void => void logs.push(text)
    const journal = createDatabaseJournal({ database, replica: 'new', onLog })
    const time = new Date().toISOString()
    const write = () => journal.write({ time, kind: 'call', outcome: 'ok' })
    await Promise.all(Array.from({ length: 5_000 }, write))
    const unsummed = `SELECT replica FROM pith_journal LEFT JOIN pith_journal_summed USING (replica)
      WHERE pith_journal.number > coalesce(pith_journal_summed.number, 0)`
    await expect.poll(() => database.query(unsummed)).toEqual([])
    await journal.close()
    expect(logs).toEqual([])
    await expectSame()
  })
})
