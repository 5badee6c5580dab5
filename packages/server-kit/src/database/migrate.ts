import { ifThere } from '#base/database'
import type { Database } from './database.ts'

/** Milliseconds for a step, and for those of another program: an index of a large table takes its time. */
const stepMs = 24 * 3_600_000

/** Any number: all programs that migrate wait for each other. */
const lockId = 7_484_168

/**
 * Applies the steps that a database does not have yet, in their order and one transaction each.
 * Steps are only ever added. Programs that start at the same time wait for each other. Resolves to
 * the numbers of the applied steps.
 */
export async function migrate(
  database: Database,
  program: string,
  steps: readonly string[],
): Promise<number[]> {
  const applied: number[] = []
  await database
    .query(
      `CREATE TABLE IF NOT EXISTS pith_migrations (
       program text NOT NULL, step integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (program, step))`,
    )
    // The row or the type of the table.
    .catch(ifThere('23505', '42710'))
  for (const [index, step] of steps.entries())
    await database.transaction(async (query) => {
      await query('SET LOCAL statement_timeout = 0')
      await query('SELECT pg_advisory_xact_lock($1)', [lockId], stepMs)
      const entry = [program, index + 1]
      const rows = await query(
        'SELECT 1 FROM pith_migrations WHERE program = $1 AND step = $2',
        entry,
      )
      if (rows.length > 0) return
      await query(step, [], stepMs)
      await query('INSERT INTO pith_migrations (program, step) VALUES ($1, $2)', entry)
      applied.push(index + 1)
    })
  return applied
}
