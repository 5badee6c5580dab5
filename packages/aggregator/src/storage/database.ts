/** Runs one statement with numbered parameters. Every wait is bounded. */
type Query = <Row extends Record<string, unknown>>(
  text: string,
  values?: readonly unknown[],
  /** Milliseconds after which it rejects; the statement may have been done. */
  ms?: number,
) => Promise<Row[]>

/** PostgreSQL, as the program has opened it. */
export interface Database {
  query: Query
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
}
