import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createLeases,
  journalSchema,
  journalSumsSchema,
  journalWritersSchema,
  openRedis,
} from '@pith-mcp/aggregator'
import {
  documentsSchema,
  isDown,
  migrate,
  openDatabase,
  openDocuments,
} from '@pith-mcp/server-kit/database'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'

/** Steps are only ever added. */
const steps: readonly string[] = [
  documentsSchema,
  journalSchema,
  journalWritersSchema,
  journalSumsSchema,
]
const program = 'aggregator-mcp'

/** PostgreSQL, for what must last. */
export type SharedDatabase = Awaited<ReturnType<typeof openShared>>

/** The engines that replicas share; without any, this process keeps its state itself. */
export type Engines = Awaited<ReturnType<typeof openEngines>>

type EngineSettings = Pick<Settings, 'databaseUrl' | 'redisUrl' | 'clusterKey'> & {
  /** Waits for a database that is down. */
  isServed?: boolean | undefined
}

/** Milliseconds between looks for a database that is down at the start. */
const lookMs = 1_000

/** @throws {UsageError} for invalid settings, or a database that cannot be used at the start */
export async function openEngines(settings: EngineSettings, onLog: (text: string) => void) {
  const shared = settings.databaseUrl
    ? await openShared(settings.databaseUrl, settings, onLog)
    : undefined
  const cache = settings.redisUrl ? await openCache(settings.redisUrl, onLog) : undefined
  return {
    /** Of this process: eight digits and lower-case letters. */
    replica: Array.from({ length: 8 }, () => randomInt(36).toString(36)).join(''),
    shared,
    cache,
    /** What cannot be used now, by engine. */
    problems: (): Record<string, string | undefined> => ({
      ...(shared && { database: shared.database.problem() ?? shared.journalDatabase.problem() }),
      ...(cache && { redis: cache.redis.problem() ?? cache.results.problem() }),
    }),
    async close(): Promise<void> {
      await shared?.documents.close()
      await shared?.database.close()
      await shared?.journalDatabase.close()
      cache?.redis.close()
      cache?.results.close()
    },
  }
}

async function openShared(url: string, settings: EngineSettings, onLog: (text: string) => void) {
  /** Seals sign-ins, and proves that a request was forwarded by a replica. */
  const key = keyIn(settings)
  const database = await openDatabase(url, { name: program, onLog })
  // A pool of its own: refreshes of tokens hold connections of the other.
  const journalDatabase = await openDatabase(url, {
    name: `${program} journal`,
    onLog,
    maxConnections: 3,
  })
  try {
    for (let isWaiting = false; ; )
      try {
        await migrate(database, program, steps)
        const documents = await openDocuments(database, onLog)
        return { database, journalDatabase, documents, key }
      } catch (error) {
        if (!settings.isServed || !isDown(error)) throw error
        if (!isWaiting) onLog('The start waits for the database.')
        isWaiting = true
        await sleep(lookMs)
      }
  } catch (error) {
    await Promise.all([database.close(), journalDatabase.close()])
    throw new UsageError(
      `The database of PITH_DATABASE_URL cannot be used: ${(error as Error).message}. Check its address; a role that may not create tables needs "aggregator-mcp migrate" by one that may.`,
    )
  }
}

/** Redis, for what is short-lived; results are larger, so that their commands may take longer. */
async function openCache(url: string, onLog: (text: string) => void) {
  if (!/^rediss?:\/\//.test(url))
    throw new UsageError('PITH_REDIS_URL must have the form redis://HOST:PORT.')
  const instead = 'each replica counts calls and keeps results by itself'
  const redis = await openRedis(url, { onLog, instead })
  const results = await openRedis(url, { onLog: () => {}, instead, commandMs: 5_000 })
  return { redis, results, leases: createLeases(redis) }
}

function keyIn({ clusterKey = '' }: EngineSettings): Buffer {
  const key = Buffer.from(clusterKey, 'base64')
  if (key.length === 32) return key
  throw new UsageError(
    'PITH_DATABASE_URL needs PITH_CLUSTER_KEY: 32 bytes as Base64, the same for all replicas, such as the output of "openssl rand -base64 32".',
  )
}

/** Applies the steps that the database does not have. Resolves to their numbers. */
export async function migrateDatabase(url: string): Promise<number[]> {
  const database = await openDatabase(url, { name: program })
  try {
    return await migrate(database, program, steps)
  } finally {
    await database.close()
  }
}
