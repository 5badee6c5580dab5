import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Database,
  documentsSchema,
  isDown,
  migrate,
  openDatabase,
  openDocuments,
  type RevisionMarks,
  signDocuments,
  signedDocumentsSchema,
} from '@pith-mcp/server-kit/database'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { journalSchema, journalWritersSchema } from '../journal/database-journal.ts'
import { journalSumsSchema } from '../journal/database-sums.ts'
import { createLeases } from '../redis/leases.ts'
import { openRedis } from '../redis/open-redis.ts'
import { createRevisionMarks, removeRevisionMarks } from '../redis/revision-marks.ts'
import { type ClusterKey, readClusterKey } from './cluster-key.ts'

/** Steps are only ever added. */
const steps: readonly string[] = [
  documentsSchema,
  journalSchema,
  journalWritersSchema,
  journalSumsSchema,
  `${signedDocumentsSchema}; CREATE TABLE pith_cluster (fingerprint text NOT NULL)`,
]
const program = 'aggregator-mcp'

/** PostgreSQL, for what must last. */
export type SharedDatabase = Awaited<ReturnType<typeof openShared>>

/** The engines that replicas share; without any, this process keeps its state itself. */
export type Engines = Awaited<ReturnType<typeof openEngines>>

export interface EngineSettings {
  databaseUrl?: string | undefined
  redisUrl?: string | undefined
  clusterKey?: string | undefined
  replicaName?: string | undefined
  /** Waits for a database that is down. */
  isServed?: boolean | undefined
}

/** Milliseconds between looks for a database that is down at the start. */
const lookMs = 1_000

/** @throws {UsageError} for invalid settings, or a database that cannot be used at the start */
export async function openEngines(settings: EngineSettings, onLog: (text: string) => void) {
  const { databaseUrl, redisUrl, clusterKey } = settings
  // Replicas with Redis alone share no key: what one of them signs is of no use to another.
  const randomKey = randomBytes(32).toString('base64')
  const key = readClusterKey(databaseUrl ? clusterKey : (redisUrl && clusterKey) || randomKey)
  const cache = redisUrl ? await openCache(redisUrl, key, onLog) : undefined
  const marks = cache && createRevisionMarks(cache.redis, key.signer('revision'))
  const shared = databaseUrl
    ? await openShared(databaseUrl, { key, isServed: settings.isServed, marks }, onLog).catch(
        (error: unknown) => {
          cache?.redis.close()
          cache?.results.close()
          throw error
        },
      )
    : undefined
  const writer = Array.from({ length: 8 }, () => randomInt(36).toString(36)).join('')
  return {
    /** Of this process alone: eight digits and lower-case letters. */
    writer,
    /** The name in handles; one that is set survives a restart. */
    replica: settings.replicaName ?? writer,
    shared,
    cache,
    key,
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

interface SharedOptions extends Pick<EngineSettings, 'isServed'> {
  key: ClusterKey
  marks: RevisionMarks | undefined
}

async function openShared(
  url: string,
  { key, isServed, marks }: SharedOptions,
  onLog: (text: string) => void,
) {
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
        await claim(database, key, false)
        const documents = await openDocuments(database, key.signer('document'), onLog, marks)
        return { database, journalDatabase, documents, key }
      } catch (error) {
        if (!isServed || !isDown(error)) throw error
        if (!isWaiting) onLog('The start waits for the database.')
        isWaiting = true
        await sleep(lookMs)
      }
  } catch (error) {
    await Promise.all([database.close(), journalDatabase.close()])
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `The database of PITH_DATABASE_URL cannot be used: ${(error as Error).message}. Check its address; a role that may not create tables needs "aggregator-mcp migrate" by one that may.`,
    )
  }
}

/** Redis, for what is short-lived; results are larger, so that their commands may take longer. */
async function openCache(url: string, key: ClusterKey, onLog: (text: string) => void) {
  if (!/^rediss?:\/\//.test(url))
    throw new UsageError('PITH_REDIS_URL must have the form redis://HOST:PORT.')
  const instead = 'each replica counts calls and keeps results by itself'
  const redis = await openRedis(url, { onLog, instead })
  const results = await openRedis(url, { onLog: () => {}, instead, commandMs: 5_000 })
  return { redis, results, leases: createLeases(redis, key.signer('lease'), onLog) }
}

/**
 * Checks that the documents are signed with a key of ours, by its fingerprint; with two keys, signs
 * them with the first. With `isTrusted`, signs all of them. Resolves to those that were not signed.
 * @throws {UsageError}
 */
async function claim(database: Database, key: ClusterKey, isTrusted: boolean): Promise<string[]> {
  return database.transaction(async (query) => {
    await query('LOCK TABLE pith_cluster IN EXCLUSIVE MODE')
    const [owner] = await query<{ fingerprint: string }>('SELECT fingerprint FROM pith_cluster')
    const { fingerprints } = key
    const [first = ''] = fingerprints
    if (owner !== undefined && !fingerprints.includes(owner.fingerprint) && !isTrusted)
      throw new UsageError(
        `PITH_CLUSTER_KEY is not the key of this database: its fingerprint is ${first}, that of the database ${owner.fingerprint}. The other replicas have the right one; docs/replicas.md says how it is replaced.`,
      )
    const [document] = owner ? [] : await query('SELECT FROM pith_documents LIMIT 1')
    if (document !== undefined && !isTrusted)
      throw new UsageError(
        'The documents in this database are not signed: they are of an earlier version, or the record of its key was removed. If only replicas can write to it, run "aggregator-mcp migrate --sign" once, with PITH_CLUSTER_KEY.',
      )
    if (owner?.fingerprint !== first) {
      await query('DELETE FROM pith_cluster')
      await query('INSERT INTO pith_cluster VALUES ($1)', [first])
    }
    if (!isTrusted && fingerprints.length === 1) return []
    return signDocuments(query, key.signer('document'), isTrusted)
  })
}

/**
 * Applies the steps that the database does not have; with a key, also signs all documents, and
 * forgets which revisions are old. Resolves to the numbers of the steps, and to the documents that
 * were not signed.
 */
export async function migrateDatabase(url: string, key?: ClusterKey, redisUrl?: string) {
  const database = await openDatabase(url, { name: program })
  try {
    const applied = await migrate(database, program, steps)
    if (key === undefined) return { applied, signed: [] }
    const signed = await claim(database, key, true)
    const redis = redisUrl && (await openRedis(redisUrl, { onLog() {}, instead: '' }))
    if (redis) await removeRevisionMarks(redis).finally(redis.close)
    return { applied, signed }
  } finally {
    await database.close()
  }
}
