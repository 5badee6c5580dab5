import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Aggregator,
  type AggregatorConfig,
  type ApprovalStore,
  type CatalogStore,
  createDatabaseJournal,
  createDatabaseJournalReader,
  createEncryptionKey,
  createFileApprovalStore,
  createFileCatalogStore,
  createFileJournal,
  createFileJournalReader,
  createFilePinStore,
  createFileTokenStore,
  createKeychain,
  createMemoryApprovalStore,
  createMemoryPinStore,
  createMemoryTokenStore,
  createRedisLimits,
  createRedisResultStore,
  createResultStore,
  createSharedApprovalStore,
  createSharedCatalogStore,
  createSharedPinStore,
  createSharedTokenStore,
  type Journal,
  type JournalReader,
  noJournal,
  openRedis,
  type PinStore,
  type ResultStore,
  type SharedLimits,
  type TokenStore,
} from '@pith-mcp/aggregator'
import {
  createFileTokens,
  createTokens,
  sharedTokenSource,
  type Tokens,
} from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'
import { type Engines, openEngines, type SharedDatabase } from '../engines/engines.ts'

type JournalSettings = AggregatorConfig['settings']['journal']

/** Where an aggregator keeps its state: in files of this machine, or in engines that replicas share. */
export interface State {
  engines: Engines
  pins: PinStore
  approvals: ApprovalStore
  /** Access tokens; undefined with --no-state. */
  tokens: Tokens | undefined
  /** Undefined with --no-state. */
  catalog: CatalogStore | undefined
  /** Tokens of sign-ins. */
  signIns: TokenStore
  /** Undefined if the journal is disabled. */
  journalReader: JournalReader | undefined
  openJournal(): Journal
  results(): ResultStore
  limits(url: string | undefined): Promise<SharedLimits | undefined>
  /** Follows what other replicas read of servers. */
  follow(aggregator: Aggregator): void
  close(): Promise<void>
}

type StateSettings = Pick<Settings, 'state'> & Parameters<typeof openEngines>[0]

/** @throws {UsageError} for invalid settings of engines */
export async function openState(
  settings: StateSettings,
  journal: JournalSettings,
  onLog: (text: string) => void,
): Promise<State> {
  const engines = await openEngines(settings, onLog)
  const { cache, shared } = engines
  const { state } = settings
  const durable = shared ? createSharedState(shared, engines, onLog) : createOwnState(state, onLog)
  const folder = journalFolderOf(journal, state)
  const isRecorded = journal !== false && (shared !== undefined || folder !== undefined)
  const more = typeof journal === 'object' ? journal : {}
  checkJournal(more, { isRecorded, isShared: shared !== undefined }, onLog)
  return {
    engines,
    ...durable,
    journalReader: isRecorded ? readerOf(shared, folder ?? '') : undefined,
    openJournal() {
      if (!isRecorded) return noJournal
      if (shared === undefined) return createFileJournal({ ...more, folder: folder ?? '', onLog })
      const { journalDatabase: database } = shared
      return createDatabaseJournal({ ...more, database, replica: engines.writer, onLog })
    },
    results() {
      const results = createResultStore(state === false ? scratchFolder() : join(state, 'results'))
      if (cache === undefined) return results
      const signer = engines.key.signer('result')
      return createRedisResultStore(cache.results, results, { signer, onLog })
    },
    async limits(url) {
      if (cache) return createRedisLimits(cache.redis)
      if (url === undefined) return undefined
      const instead = 'calls are counted in this process'
      return createRedisLimits(await openRedis(url, { onLog, instead }))
    },
    async close() {
      await durable.settled?.()
      await durable.tokens?.close()
      await engines.close()
    },
  }
}

/** @throws {UsageError} if calls depend on a journal that is not kept */
function checkJournal(
  settings: Exclude<JournalSettings, boolean | undefined>,
  { isRecorded, isShared }: { isRecorded: boolean; isShared: boolean },
  onLog: (text: string) => void,
): void {
  const keys = Object.keys(settings)
  if (isRecorded) {
    if (isShared && keys.includes('folder'))
      onLog('aggregator.journal.folder has no effect: the journal is kept in PostgreSQL.')
    return
  }
  if (settings.failClosed)
    throw new UsageError(
      'aggregator.journal.failClosed needs a journal, and --no-state keeps none. Set aggregator.journal.folder, or remove one of them.',
    )
  if (keys.length > 0)
    onLog(`aggregator.journal.${keys[0]} has no effect: --no-state keeps no journal.`)
}

/** Opens the state for a command, and closes it. @throws {UsageError} and what `work` throws */
export async function withState<T>(
  settings: StateSettings,
  journal: JournalSettings,
  onLog: (text: string) => void,
  work: (state: State) => Promise<T> | T,
): Promise<T> {
  const state = await openState(settings, journal, onLog)
  try {
    return await work(state)
  } finally {
    await state.close()
  }
}

const readerOf = (shared: SharedDatabase | undefined, folder: string): JournalReader =>
  shared ? createDatabaseJournalReader(shared.journalDatabase) : createFileJournalReader(folder)

type Durable = Pick<State, 'pins' | 'approvals' | 'tokens' | 'catalog' | 'signIns' | 'follow'> & {
  settled?: () => Promise<void>
}

function createOwnState(state: string | false, onLog: (text: string) => void): Durable {
  const follow = (): void => {}
  if (state === false)
    return {
      pins: createMemoryPinStore(),
      approvals: createMemoryApprovalStore(),
      tokens: undefined,
      catalog: undefined,
      signIns: createMemoryTokenStore(),
      follow,
    }
  const folder = join(state, 'sign-ins')
  const getKey = createEncryptionKey({ folder, keychain: createKeychain(), onLog })
  return {
    pins: createFilePinStore(join(state, 'pins'), onLog),
    approvals: createFileApprovalStore(join(state, 'approvals.json')),
    tokens: createFileTokens({ path: join(state, 'tokens.json'), onLog }),
    catalog: createFileCatalogStore(join(state, 'catalog'), onLog),
    signIns: createFileTokenStore({ folder, getKey, onLog }),
    follow,
  }
}

function createSharedState(
  { documents, key }: SharedDatabase,
  { cache }: Engines,
  onLog: (text: string) => void,
): Durable {
  const pins = createSharedPinStore(documents, onLog)
  const catalog = createSharedCatalogStore(documents, onLog)
  const { leases } = cache ?? {}
  return {
    pins,
    approvals: createSharedApprovalStore(documents),
    catalog,
    tokens: createTokens({ source: sharedTokenSource(documents), onLog }),
    signIns: createSharedTokenStore({ documents, keys: key.sealing, leases, onLog }),
    follow: ({ gateway }) => catalog.follow(gateway.catalog.adopt),
    settled: pins.settled,
  }
}

export const journalFolderOf = (
  journal: JournalSettings,
  state: string | false,
): string | undefined => {
  if (journal === false) return undefined
  const folder = typeof journal === 'object' ? journal.folder : undefined
  return folder ?? (state === false ? undefined : join(state, 'journal'))
}

let scratch: string | undefined

/** A folder of this process, which no other user can read, guess or make before; removed on exit. */
export function scratchFolder(): string {
  if (scratch !== undefined) return scratch
  const folder = mkdtempSync(join(tmpdir(), 'aggregator-mcp-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  scratch = folder
  return folder
}
