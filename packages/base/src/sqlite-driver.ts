/** The part of the `node:sqlite` API that is used here. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): Record<string, SqlValue> | undefined
  all(...values: SqlValue[]): Record<string, SqlValue>[]
}

export type SqlValue = string | number | bigint | null | Uint8Array

export type OpenDatabase = (path: string, options?: { readOnly?: boolean }) => Database

/** `node:sqlite` has no types for Node 20; TypeScript does not resolve a name in a variable. */
const builtIn: string = 'node:sqlite'
const prebuilt: string = '@photostructure/sqlite'

let loading: Promise<OpenDatabase | undefined> | undefined

/** SQLite of Node (from 22.13 on), or else the optional package; undefined without either. */
export function loadDriver(): Promise<OpenDatabase | undefined> {
  loading ??= load(builtIn).catch(() => load(prebuilt).catch(() => undefined))
  return loading
}

async function load(name: string): Promise<OpenDatabase> {
  const { DatabaseSync } = (await import(name)) as {
    DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => Database
  }
  return (path, options = {}) => new DatabaseSync(path, options)
}
