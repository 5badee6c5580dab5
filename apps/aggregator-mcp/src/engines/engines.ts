import { randomInt } from 'node:crypto'
import {
  createLeases,
  journalSchema,
  type Leases,
  openRedis,
  type RedisConnection,
} from '@pith-mcp/aggregator'
import {
  type Database,
  type Documents,
  documentsSchema,
  migrate,
  openDatabase,
  openDocuments,
} from '@pith-mcp/server-kit/database'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'

/** Steps are only ever added. */
const steps: readonly string[] = [documentsSchema, journalSchema]
const program = 'aggregator-mcp'

/** PostgreSQL, for what must last. */
export interface SharedDatabase {
  database: Database
  /** A pool of its own: refreshes of tokens hold connections of the other. */
  journalDatabase: Database
  documents: Documents
  /** Seals sign-ins, and proves that a request was forwarded by a replica. */
  key: Buffer
}

/** Redis, for what is short-lived; results are larger, so that their commands may take longer. */
interface SharedRedis {
  redis: RedisConnection
  results: RedisConnection
  leases: Leases
}

/** The engines that replicas share; without any, this process keeps its state itself. */
export interface Engines {
  /** Of this process: eight digits and lower-case letters. */
  replica: string
  shared: SharedDatabase | undefined
  cache: SharedRedis | undefined
  /** What cannot be used now, by engine. */
  problems(): Record<string, string | undefined>
  close(): Promise<void>
}

type EngineSettings = Pick<Settings, 'databaseUrl' | 'redisUrl' | 'clusterKey'>

/** @throws {UsageError} for invalid settings, or a database that cannot be used at the start */
export async function openEngines(
  settings: EngineSettings,
  onLog: (text: string) => void,
): Promise<Engines> {
  const shared = settings.databaseUrl
    ? await openShared(settings.databaseUrl, keyIn(settings), onLog)
    : undefined
  const cache = settings.redisUrl ? await openCache(settings.redisUrl, onLog) : undefined
  return {
    replica: Array.from({ length: 8 }, () => randomInt(36).toString(36)).join(''),
    shared,
    cache,
    problems: () => ({
      ...(shared && { database: shared.database.problem() ?? shared.journalDatabase.problem() }),
      ...(cache && { redis: cache.redis.problem() ?? cache.results.problem() }),
    }),
    async close() {
      shared?.documents.close()
      await shared?.database.close()
      await shared?.journalDatabase.close()
      cache?.redis.close()
      cache?.results.close()
    },
  }
}

async function openShared(
  url: string,
  key: Buffer,
  onLog: (text: string) => void,
): Promise<SharedDatabase> {
  const database = await openDatabase(url, { name: program, onLog })
  const journalDatabase = await openDatabase(url, {
    name: `${program} journal`,
    onLog,
    maxConnections: 3,
  })
  try {
    await migrate(database, program, steps)
    const documents = await openDocuments(database, onLog)
    return { database, journalDatabase, documents, key }
  } catch (error) {
    await Promise.all([database.close(), journalDatabase.close()])
    throw new UsageError(
      `The database of PITH_DATABASE_URL cannot be used: ${(error as Error).message}. Check its address; a role that may not create tables needs "aggregator-mcp migrate" by one that may.`,
    )
  }
}

async function openCache(url: string, onLog: (text: string) => void): Promise<SharedRedis> {
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
