import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database, OpenDatabase, Statement } from './driver.ts'

export interface StoreOptions {
  open: OpenDatabase
  /** A file, made if it is not there, or `:memory:`. */
  path: string
  /** Run on a new file. */
  schema: string
  /** Of the schema; a file of another version is made anew. */
  version: number
  /** A file that is there, and is not written to; damage is an error then. */
  readOnly?: boolean
  /** Read while another writes, by a log beside the file. Default true. */
  wal?: boolean
  /** Told that a file was unreadable, or of another version, and begun anew. */
  onRebuilt?: (path: string, why: string) => void
}

/** A file that several processes read and write at once. */
export interface Store {
  /** Reads. A file found damaged is begun anew, and the work done again on the empty one. */
  read<T>(work: (prepare: Prepare) => T): Promise<T>
  /** One transaction, all or nothing; waits for other writers. Keep it short: it blocks them. */
  write<T>(work: (prepare: Prepare) => T): Promise<T>
  close(): void
}

/** A prepared statement, made once. */
export type Prepare = (sql: string) => Statement

/** For how long a writer waits for others before it fails. */
const longestWaitMs = 30_000

export async function openStore(options: StoreOptions): Promise<Store> {
  const { path, readOnly = false, onRebuilt = () => {} } = options
  if (path !== ':memory:' && !readOnly) await mkdir(dirname(path), { recursive: true })
  let connection = await connectOrRebuild()
  let closed = false

  return {
    read: (work) => guarded(() => work(connection.prepare)),
    write: (work) => guarded(() => transaction(() => work(connection.prepare))),
    close() {
      if (closed) return
      closed = true
      connection.close()
    },
  }

  async function guarded<T>(work: () => T): Promise<T> {
    for (let waited = 0, rebuilt = false; ; ) {
      try {
        return work()
      } catch (error) {
        if (closed) throw error
        if (isBusy(error) && waited < longestWaitMs) {
          // The lock is not handed on fairly: whoever waits a different time gets its turn.
          const wait = 5 + Math.random() * 60
          waited += wait
          await new Promise((resolve) => setTimeout(resolve, wait))
        } else if (isDamaged(error) && !rebuilt && !readOnly) {
          rebuilt = true
          connection.close()
          connection = await rebuild(error)
        } else throw error
      }
    }
  }

  function transaction<T>(work: () => T): T {
    connection.database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      connection.database.exec('COMMIT')
      return result
    } catch (error) {
      try {
        connection.database.exec('ROLLBACK')
      } catch {
        // The failure itself has ended the transaction.
      }
      throw error
    }
  }

  async function connectOrRebuild(): Promise<Connection> {
    for (let tries = 0; ; tries++) {
      try {
        return connect(options)
      } catch (error) {
        if (isBusy(error) && tries < 100) await new Promise((resolve) => setTimeout(resolve, 50))
        else if (!readOnly && (isDamaged(error) || error instanceof WrongVersion))
          return rebuild(error)
        else throw error
      }
    }
  }

  async function rebuild(cause: unknown): Promise<Connection> {
    if (path !== ':memory:') {
      // Renamed first: another process that has it open does not write into the new one.
      await rename(path, `${path}.old`).catch(() => {})
      for (const rest of [`${path}.old`, `${path}-wal`, `${path}-shm`])
        await rm(rest, { force: true })
    }
    onRebuilt(path, cause instanceof Error ? cause.message : String(cause))
    return connect(options)
  }
}

interface Connection {
  database: Database
  prepare: Prepare
  close(): void
}

class WrongVersion extends Error {}

function connect({
  open,
  path,
  schema,
  version,
  readOnly = false,
  wal = true,
}: StoreOptions): Connection {
  const database = open(path, { readOnly })
  try {
    database.exec('PRAGMA busy_timeout = 250')
    if (wal && !readOnly) {
      database.exec('PRAGMA journal_mode = WAL')
      database.exec('PRAGMA synchronous = NORMAL')
    }
    if (versionOf(database) === 0 && !readOnly) create(database, schema, version)
    if (versionOf(database) !== version)
      throw new WrongVersion(`it was written by another version (${versionOf(database)})`)
  } catch (error) {
    database.close()
    throw error
  }
  const statements = new Map<string, Statement>()
  return {
    database,
    prepare(sql) {
      const known = statements.get(sql) ?? database.prepare(sql)
      statements.set(sql, known)
      return known
    },
    close() {
      statements.clear()
      try {
        // Not every driver does it when the last one closes.
        if (wal && !readOnly) database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // Others are reading: they will do it.
      }
      try {
        database.close()
      } catch {
        // It is damaged, or closed already.
      }
    },
  }
}

/** Two processes may find the file new at once: who comes second finds it made. */
function create(database: Database, schema: string, version: number): void {
  database.exec('BEGIN IMMEDIATE')
  if (versionOf(database) === 0) {
    database.exec(schema)
    database.exec(`PRAGMA user_version = ${version}`)
  }
  database.exec('COMMIT')
}

const versionOf = (database: Database): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'])

/** SQLITE_BUSY, SQLITE_LOCKED; the extended codes have more in their upper bits. */
const isBusy = (error: unknown): boolean => [5, 6].includes(codeOf(error))

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const isDamaged = (error: unknown): boolean => [11, 26].includes(codeOf(error))

function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0
  if ('errcode' in error) return Number(error.errcode) & 0xff
  if (/not a database/i.test(error.message)) return 26
  if (/malformed/i.test(error.message)) return 11
  return /locked|busy/i.test(error.message) ? 5 : 0
}
