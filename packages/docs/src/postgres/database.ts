import type { Database as Port } from '#base/database'
import { within } from '#base/within'
import { DocsError } from '#formats/docs-error'

/** Values by the names of columns. */
export type Row = Record<string, unknown>

/** Runs one statement with numbered parameters, and resolves to its rows. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<Row[]>

/** PostgreSQL, from version 14, with the tables of {@link migrationSteps}. */
export type Database = Port<Query>

/** Milliseconds after a failure in which the database is not tried again. */
const restMs = 2_000

/** Milliseconds for one statement outside of a transaction, and for a transaction. */
interface Limits {
  queryMs: number
  transactionMs: number
}

/**
 * The same within limits, and when it cannot be used, not every call waits for that.
 * @throws {DocsError} `unreachable` while it cannot be used
 */
export function guarded(database: Database, { queryMs, transactionMs }: Limits): Database {
  let restsUntil = 0
  let reason = ''

  async function watch<T>(limitMs: number, run: () => Promise<T>): Promise<T> {
    const now = performance.now()
    if (now < restsUntil) throw unavailable(reason)
    // After a rest one call tries; the others would only wait with it.
    if (restsUntil > 0) restsUntil = now + restMs
    try {
      const result = await within(limitMs, run(), `no answer within ${limitMs / 1000} s`)
      restsUntil = 0
      return result
    } catch (error) {
      if (isStatementError(error)) throw error
      restsUntil = performance.now() + restMs
      reason = (error as Error).message || String((error as { code?: unknown }).code)
      throw unavailable(reason, error)
    }
  }

  return {
    query: (text, values) => watch(queryMs, () => database.query(text, values)),
    transaction: (work) => watch(transactionMs, () => database.transaction(work)),
  }
}

/** Errors of a statement, by their SQLSTATE, say that the database works. */
const isStatementError = (error: unknown): boolean =>
  /^(?!08|53|57)[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code))

const unavailable = (reason: string, cause?: unknown): DocsError =>
  new DocsError(
    'unreachable',
    `The search index cannot be used now: the database does not answer (${reason}).`,
    'Pages can be read by their URL. Search again later.',
    { cause },
  )
