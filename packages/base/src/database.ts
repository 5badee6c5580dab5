/** Runs one statement with numbered parameters, and resolves to its rows. Every wait is bounded. */
export type Query = <Row extends Record<string, unknown>>(
  text: string,
  values?: readonly unknown[],
  /** Milliseconds after which it rejects; the statement may have been done. Default 30,000. */
  ms?: number,
) => Promise<Row[]>

/** PostgreSQL, from version 14. */
export interface Database<Run = Query> {
  /** On any connection. Rejects with the error of the database or of the network. */
  query: Run
  /** Commits if `work` resolves, and rolls back if it rejects. */
  transaction<T>(work: (query: Run) => Promise<T>): Promise<T>
}

/**
 * For a statement that creates what another process may create at the same time: one of them gets an
 * error. `codes` are the SQLSTATEs of these errors.
 */
export const ifThere =
  (...codes: readonly string[]) =>
  (error: unknown): never[] => {
    if (codes.includes(String((error as { code?: string }).code))) return []
    throw error
  }
