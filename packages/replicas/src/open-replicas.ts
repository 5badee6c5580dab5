import type { Aggregator, ResultStore } from '@pith-mcp/aggregator'
import { createTokens, sharedTokenSource } from '@pith-mcp/server-kit'
import { createReplicaDirectory, type ReplicaSettings } from './directory/replica-directory.ts'
import {
  type EngineSettings,
  type Engines,
  openEngines,
  type SharedDatabase,
} from './engines/engines.ts'
import { createDatabaseJournal, type DatabaseJournalOptions } from './journal/database-journal.ts'
import { createDatabaseJournalReader } from './journal/database-journal-reader.ts'
import { openRedis } from './redis/open-redis.ts'
import { createRedisLimits } from './redis/redis-limits.ts'
import { createRedisResultStore } from './redis/redis-result-store.ts'
import { createSharedApprovalStore } from './stores/shared-approval-store.ts'
import { createSharedCatalogStore } from './stores/shared-catalog-store.ts'
import { createSharedPinStore } from './stores/shared-pin-store.ts'
import { createSharedTokenStore } from './stores/shared-token-store.ts'

type OnLog = (text: string) => void

/** State in the engines that replicas share. @throws {UsageError} for invalid settings of engines */
export async function openReplicas(settings: EngineSettings, onLog: OnLog) {
  const engines = await openEngines(settings, onLog)
  const { cache, shared, key } = engines
  return {
    engines,
    /** What lasts; undefined without a database. */
    durable: shared && createSharedState(shared, engines, onLog),
    /** Undefined without Redis, as what follows. */
    results:
      cache &&
      ((local: ResultStore) =>
        createRedisResultStore(cache.results, local, { signer: key.signer('result'), onLog })),
    limits: cache && (() => createRedisLimits(cache.redis)),
    directory: (endpoint: ReplicaSettings, log: OnLog) =>
      createReplicaDirectory(engines, endpoint, log),
  }
}

function createSharedState(
  { documents, journalDatabase: database, key }: SharedDatabase,
  { cache, writer: replica }: Engines,
  onLog: OnLog,
) {
  const pins = createSharedPinStore(documents, onLog)
  const catalog = createSharedCatalogStore(documents, onLog)
  const { leases } = cache ?? {}
  return {
    pins,
    approvals: createSharedApprovalStore(documents),
    catalog,
    tokens: createTokens({ source: sharedTokenSource(documents), onLog }),
    signIns: createSharedTokenStore({ documents, keys: key.sealing, leases, onLog }),
    journalReader: createDatabaseJournalReader(database),
    openJournal: (settings: Pick<DatabaseJournalOptions, 'retentionDays' | 'failClosed'>) =>
      createDatabaseJournal({ ...settings, database, replica, onLog }),
    follow: ({ gateway }: Aggregator) => catalog.follow(gateway.catalog.adopt),
    settled: pins.settled,
  }
}

/** Limits in Redis, of a process that shares nothing else. */
export async function openLimits(url: string, onLog: OnLog) {
  const instead = 'calls are counted in this process'
  return createRedisLimits(await openRedis(url, { onLog, instead }))
}
