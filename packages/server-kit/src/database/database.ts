import type { Client, Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg'
import { attempt } from '#base/attempt'
import type { Database as Port, Query } from '#base/database'
import { UsageError } from '../settings/read-settings.ts'

/** PostgreSQL, from version 14. Every wait is bounded: a database that hangs is one that is gone. */
export interface Database extends Port {
  /**
   * Calls `onNotice` with each payload of a channel, and `onConnected` whenever listening begins:
   * what was sent before is not known then. Returns a function that ends it.
   */
  listen(channel: string, onNotice: (payload: string) => void, onConnected: () => void): () => void
  /** Why it cannot be used now; undefined if the last statement worked. */
  problem(): string | undefined
  /** Resolves when no statement runs any more. Nothing is logged from then on. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Name of the connections in `pg_stat_activity`. */
  name: string
  onLog?: ((text: string) => void) | undefined
  /** Connections for statements. Default 10. */
  maxConnections?: number | undefined
}

/** Milliseconds to connect, or to wait for a free connection. */
const connectMs = 2_000
/** Milliseconds for one statement. */
const statementMs = 30_000
/** Milliseconds between checks that the listening connection is alive, and for its answer. */
const beatMs = 1_500
const beatAnswerMs = 1_000
/** Milliseconds before the next attempt to listen. */
const retryMs = 500

/** Errors of the network, SQLSTATEs of a server that starts, ends or is full, and texts of pg. */
const downCodes =
  /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|EPIPE|(?:08|53|57).{3})$/
const downTexts = /timeout|terminated/i

/** Whether a database is down, so that waiting helps; else the settings are wrong. */
export function isDown(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string }
  return code === undefined ? downTexts.test(message) : downCodes.test(code)
}

/** The error of pg for a statement without an answer in time. */
const silence = 'Query read timeout'

const remedy =
  'The package pg is missing. Install it next to the server: npm i pg, or npx -p pg -p PACKAGE …'

/**
 * Opens a pool of connections. No connection is made before the first statement.
 * @throws {UsageError} for an invalid URL, or without the package pg
 */
export async function openDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const { name, onLog = () => {}, maxConnections = 10 } = options
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError('PITH_DATABASE_URL must have the form postgresql://USER@HOST/DATABASE.')
  const { default: pg } = await import('pg').catch(() => {
    throw new UsageError(`PITH_DATABASE_URL: ${remedy}`)
  })
  const connection = {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  }
  const health = createHealth(onLog)
  const createPool = (): Pool =>
    new pg.Pool({
      ...connection,
      max: maxConnections,
      statement_timeout: statementMs,
      query_timeout: statementMs + connectMs,
      idle_in_transaction_session_timeout: 2 * statementMs,
      // A process with nothing else to do may end.
      allowExitOnIdle: true,
    }).on('error', health.failed)
  let pool = createPool()
  /** Where one connection is silent, all may be: each would cost a statement its time. */
  function replace(silent: Pool): void {
    if (silent !== pool) return
    pool = createPool()
    void silent.end()
  }
  const running = new Set<Promise<unknown>>()
  async function watched<T>(run: (pool: Pool) => Promise<T>): Promise<T> {
    const currentPool = pool
    const result = health.watch(() => run(currentPool))
    running.add(result)
    try {
      return await result
    } catch (error) {
      if ((error as Error).message === silence) replace(currentPool)
      throw error
    } finally {
      running.delete(result)
    }
  }
  return {
    query: (text, values, ms) => watched((currentPool) => rowsOf(currentPool, text, values, ms)),
    transaction: (work) => watched((currentPool) => inTransaction(currentPool, work)),
    listen(channel, onNotice, onConnected) {
      const onSilent = (): void => replace(pool)
      const on = { channel, onNotice, onConnected, onSilent, health }
      return listen(() => new pg.Client(connection), on)
    },
    problem: health.problem,
    async close() {
      // Its callers learn that it is closed; no operator has to.
      health.close()
      await Promise.allSettled(running)
      await pool.end()
    },
  }
}

type Runner = Pick<Pool | PoolClient | Client, 'query'>

async function rowsOf<Row extends QueryResultRow>(
  runner: Runner,
  text: string,
  values: readonly unknown[] = [],
  ms?: number,
): Promise<Row[]> {
  const statement: QueryConfig & { query_timeout?: number } = {
    text,
    values: [...values],
    ...(ms !== undefined && { query_timeout: ms }),
  }
  const { rows } = await runner.query<Row>(statement)
  return rows
}

async function inTransaction<T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // The pool listens to idle clients only, and an error without a listener ends the process.
  const ignore = (): void => {}
  client.on('error', ignore)
  let isBroken = true
  try {
    await client.query('BEGIN')
    const result = await work((text, values, ms) => rowsOf(client, text, values, ms))
    await client.query('COMMIT')
    isBroken = false
    return result
  } catch (error) {
    isBroken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    )
    throw error
  } finally {
    client.off('error', ignore)
    client.release(isBroken)
  }
}

type Health = ReturnType<typeof createHealth>

/** Logs when the database stops working, and when it works again. */
function createHealth(onLog: (text: string) => void) {
  let problem: string | undefined
  let isClosed = false
  function failed(error: unknown): void {
    if (isClosed) return
    const { code, message } = error as { code?: string; message: string }
    // Errors of a statement, by their SQLSTATE, say that the database works.
    if (code !== undefined && /^(?!08|53|57)[0-9A-Z]{5}$/.test(code)) return
    if (problem === undefined) onLog(`The database cannot be used: ${message || code}.`)
    problem = message || code || 'unknown'
  }
  function worked(): void {
    if (problem !== undefined) onLog('The database can be used again.')
    problem = undefined
  }
  return {
    failed,
    worked,
    problem: () => problem,
    close(): void {
      isClosed = true
    },
    async watch<T>(run: () => Promise<T>): Promise<T> {
      try {
        const result = await run()
        worked()
        return result
      } catch (error) {
        failed(error)
        throw error
      }
    },
  }
}

interface Listening {
  channel: string
  onNotice: (payload: string) => void
  onConnected: () => void
  onSilent: () => void
  health: Health
}

/** Listens on a connection of its own, which is made again when it breaks or does not answer. */
function listen(createClient: () => Client, { channel, health, ...on }: Listening): () => void {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isEnded = false

  async function connect(): Promise<void> {
    const session = createClient()
    client = session
    const again = (error?: Error): void => {
      if (client !== session || isEnded) return
      client = undefined
      if (error) health.failed(error)
      void session.end().catch(() => {})
      timer = setTimeout(connect, retryMs).unref()
    }
    session.on('error', again).on('end', () => again())
    session.on('notification', ({ payload = '' }) => {
      if (isEnded) return
      // An error that is thrown here would end the process, and any role may send a notification.
      attempt(() => on.onNotice(payload), undefined)
    })
    try {
      await session.connect()
      await session.query(`LISTEN ${channel}`)
      if (!isEnded) on.onConnected()
      while (client === session && !isEnded) {
        await new Promise((resolve) => {
          timer = setTimeout(resolve, beatMs).unref()
        })
        if (client === session && !isEnded) await answered(session.query('SELECT 1'), on.onSilent)
      }
    } catch (error) {
      again(error as Error)
    }
  }

  void connect()
  return () => {
    isEnded = true
    clearTimeout(timer)
    void client?.end().catch(() => {})
  }
}

async function answered(answer: Promise<unknown>, onSilent: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onSilent()
      reject(new Error('it does not answer'))
    }, beatAnswerMs)
  })
  await Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
