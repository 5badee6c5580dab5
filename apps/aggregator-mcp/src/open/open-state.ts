import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Aggregator,
  type AggregatorConfig,
  type ApprovalStore,
  type CatalogStore,
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
  createResultStore,
  createSeal,
  type Journal,
  type JournalLine,
  type JournalReader,
  noJournal,
  type PinStore,
  type ResultStore,
  type Seal,
  type SharedLimits,
  type TokenStore,
} from '@pith-mcp/aggregator'
import { attempt } from '@pith-mcp/base/attempt'
import type {
  ReplicaDirectory,
  ReplicaSettings,
} from '@pith-mcp/replicas/directory/replica-directory'
import type { EngineSettings, Engines } from '@pith-mcp/replicas/engines/engines'
import { createFileTokens, type Tokens } from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'

type JournalSettings = AggregatorConfig['settings']['journal']

/** Where an aggregator keeps its state: in files of this machine, or in engines that replicas share. */
export interface State {
  engines: Engines | typeof noEngines
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
  /** Hides what others who read the state folder must not see; undefined with --no-state. */
  seal: Seal | undefined
  /** The other replicas; undefined unless both engines are configured. */
  directory(settings: ReplicaSettings, onLog: (text: string) => void): ReplicaDirectory | undefined
  /** Follows what other replicas read of servers. */
  follow(aggregator: Aggregator): void
  close(): Promise<void>
}

type StateSettings = Pick<Settings, 'state'> & EngineSettings & { isCommand?: boolean }

/** @throws {UsageError} for invalid settings of engines */
export async function openState(
  settings: StateSettings,
  journal: JournalSettings,
  onLog: (text: string) => void,
): Promise<State> {
  const { state, databaseUrl, redisUrl } = settings
  const replicas = databaseUrl || redisUrl ? await openReplicas(settings, onLog) : undefined
  const { engines = noEngines, durable: shared } = replicas ?? {}
  const notes = createNotes()
  const seal = state === false ? undefined : sealOf(state, onLog, notes.write)
  const durable: Durable = shared ?? createOwnState(state, settings, { seal, onLog })
  const folder = journalFolderOf(journal, state)
  const isRecorded = journal !== false && (shared !== undefined || folder !== undefined)
  const more = typeof journal === 'object' ? journal : {}
  checkJournal(more, { isRecorded, isShared: shared !== undefined }, onLog)
  return {
    engines,
    ...durable,
    seal,
    journalReader: isRecorded
      ? (shared?.journalReader ?? createFileJournalReader(folder ?? ''))
      : undefined,
    openJournal() {
      if (!isRecorded) return noJournal
      const journal =
        shared?.openJournal(more) ?? createFileJournal({ ...more, folder: folder ?? '', onLog })
      notes.follow(journal)
      return journal
    },
    results() {
      // No later process could read the rest of a result.
      if (settings.isCommand) return { put: () => false, get: async () => undefined, close() {} }
      const results = createResultStore(state === false ? scratchFolder() : join(state, 'results'))
      return replicas?.results?.(results) ?? results
    },
    async limits(url) {
      if (replicas?.limits) return replicas.limits()
      if (url === undefined) return undefined
      const { openLimits } = await import('@pith-mcp/replicas/open-replicas')
      return openLimits(url, onLog)
    },
    directory: (endpoint, log) => replicas?.directory(endpoint, log),
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

/** Loaded only where state is shared. */
const openReplicas = async (settings: EngineSettings, onLog: (text: string) => void) =>
  (await import('@pith-mcp/replicas/open-replicas')).openReplicas(settings, onLog)

/** Of a process that keeps its state itself. */
const noEngines = {
  replica: undefined,
  shared: undefined,
  cache: undefined,
  problems: (): Record<string, string | undefined> => ({}),
  async close() {},
}

type Durable = Pick<State, 'pins' | 'approvals' | 'tokens' | 'catalog' | 'signIns' | 'follow'> & {
  settled?: () => Promise<void>
}

/** Lines of the journal that come before it is open. */
function createNotes() {
  const waiting: JournalLine[] = []
  let write = (line: JournalLine): unknown => waiting.push(line)
  return {
    write: (line: JournalLine): void => void write(line),
    follow(journal: Journal): void {
      write = (line) => journal.write(line)
      for (const line of waiting.splice(0)) void write(line)
    },
  }
}

/** Of approvals and pins. */
const sealOf = (
  state: string,
  onLog: (text: string) => void,
  write: (line: JournalLine) => void,
): Seal =>
  createSeal({
    state,
    onLog,
    files: () => [
      join(state, 'approvals.json'),
      ...attempt(() => readdirSync(join(state, 'pins')), [])
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(state, 'pins', name)),
    ],
    onSealed: (files) =>
      write({
        time: new Date().toISOString(),
        kind: 'admin',
        tool: 'seal',
        outcome: 'ok',
        message: `${files.length} files with approvals and pins of an earlier version were sealed.`,
      }),
  })

function createOwnState(
  state: string | false,
  { isServed }: Pick<StateSettings, 'isServed'>,
  { seal, onLog }: { seal: Seal | undefined; onLog: (text: string) => void },
): Durable {
  // Servers may offer less where they may ask less, which is so over HTTP.
  const catalogFolder = isServed ? 'catalog-http' : 'catalog'
  const follow = (): void => {}
  if (state === false || seal === undefined)
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
    pins: createFilePinStore(join(state, 'pins'), seal, onLog),
    approvals: createFileApprovalStore(join(state, 'approvals.json'), seal),
    tokens: createFileTokens({ path: join(state, 'tokens.json'), onLog }),
    catalog: createFileCatalogStore(join(state, catalogFolder), onLog),
    signIns: createFileTokenStore({ folder, getKey, onLog }),
    follow,
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
