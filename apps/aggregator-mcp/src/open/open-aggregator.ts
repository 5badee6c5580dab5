import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Aggregator,
  type AggregatorConfig,
  createAggregator,
  createFileCatalogStore,
  createFileJournal,
  createFilePinStore,
  createMeaningSearch,
  createMemoryPinStore,
  createObservableJournal,
  createRedisRateLimiter,
  createResultStore,
  createVectorStore,
  type Journal,
  type NewTools,
  noJournal,
  type ObservableJournal,
  type PinStore,
  type SignIns,
  type Tracing,
} from '@pith-mcp/aggregator'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'
import type { Log } from '../log/logger.ts'
import { asSentence } from '../text-of.ts'
import { version } from '../version.ts'
import { remedies } from './remedies.ts'
import { secretSources } from './secret-sources.ts'
import { signInsFor } from './sign-ins-for.ts'

/** An aggregator and its parts. */
export interface OpenedAggregator {
  aggregator: Aggregator
  signIns: SignIns
  pins: PinStore
  journal: ObservableJournal
  /** Undefined if the journal is disabled. */
  journalFolder: string | undefined
  newTools: NewTools
}

/** Create an aggregator from a configuration and a command line. @throws {UsageError} */
export async function openAggregator(
  { servers, disabled, settings }: AggregatorConfig,
  options: Settings & { isAttended?: boolean; isCommand?: boolean; tracing?: Tracing | undefined },
  log: Log,
): Promise<OpenedAggregator> {
  const { state, mode, prefix, maxResultCharacters, http, isCommand } = options
  const { redis } = settings.limits ?? {}
  const warn = (text: string): void => log(text, 'warn')
  const { trust } = settings
  // By default a command pins nothing: the served aggregator would take it for approved.
  const byDefault = http === undefined || trust?.pin === false ? 'allow' : 'hold'
  const newTools = trust?.new ?? (isCommand ? 'ignore' : byDefault)
  checkProfile(options, settings)
  for (const { name, problem } of servers)
    if (problem) warn(`${name} cannot be used: ${asSentence(problem)}`)
  const signIns = signInsFor({ state, isAttended: options.isAttended, log })
  const pins =
    state === false ? createMemoryPinStore() : createFilePinStore(join(state, 'pins'), warn)
  const journal = createObservableJournal(journalOf(settings.journal, state, warn))
  const aggregator = createAggregator({
    servers,
    disabled,
    profiles: settings.profiles,
    callers: settings.callers,
    limits: limitsOf({ settings }),
    sharedRateLimiter: redis === undefined ? undefined : await createRedisRateLimiter(redis, warn),
    trust: { pin: trust?.pin, scan: trust?.scan, newTools },
    journal,
    tracing: options.tracing,
    meaning: meaningOf(settings.search?.embeddings, state, warn),
    secretSources,
    remedies,
    signIns,
    pinStore: pins,
    mode,
    prefix,
    firstListMs: settings.firstListSeconds && settings.firstListSeconds * 1_000,
    alwaysLoad: settings.alwaysLoad,
    identity: { name: 'aggregator-mcp', version },
    onLog: warn,
    ...(options.stderr && {
      onStderr: (server, line) => log(`${server}: ${line}`, 'info', { server }),
    }),
    ...(maxResultCharacters !== undefined && {
      results: { characters: maxResultCharacters, tokens: maxResultCharacters / 2 },
    }),
    ...(state !== false && {
      catalogStore: createFileCatalogStore(join(state, 'catalog'), warn),
    }),
    resultStore: createResultStore(state === false ? scratchFolder() : join(state, 'results')),
  })
  const journalFolder = journalFolderOf(settings.journal, state)
  return { aggregator, signIns, pins, journal, journalFolder, newTools }
}

type ReadSettings = AggregatorConfig['settings']

/** The global limits, and those of configured callers. */
export function limitsOf({ settings }: Pick<AggregatorConfig, 'settings'>) {
  const { caller, server, tool, sessionTokens } = settings.limits ?? {}
  return { caller, server, tool, sessionTokens, callers: settings.callers ?? {} }
}

/** The profile of the process must exist. @throws {UsageError} */
export function checkProfile(
  { profile, config }: Pick<Settings, 'profile' | 'config'>,
  { profiles = {} }: ReadSettings,
): void {
  if (profile === undefined || Object.hasOwn(profiles, profile)) return
  const names = Object.keys(profiles)
  throw new UsageError(
    `--profile ${profile}: There is no such profile in ${config.join(', ')}. ${names.length > 0 ? `Profiles: ${names.join(', ')}.` : 'Define it under aggregator.profiles.'}`,
  )
}

export const journalFolderOf = (
  journal: ReadSettings['journal'],
  state: string | false,
): string | undefined => {
  if (journal === false) return undefined
  const named = typeof journal === 'object' ? journal.folder : undefined
  return named ?? (state === false ? undefined : join(state, 'journal'))
}

export function journalOf(
  journal: ReadSettings['journal'],
  state: string | false,
  onLog: Log,
): Journal {
  const folder = journalFolderOf(journal, state)
  if (folder === undefined) return noJournal
  return createFileJournal({ ...(typeof journal === 'object' && journal), folder, onLog })
}

function meaningOf(
  endpoint: NonNullable<ReadSettings['search']>['embeddings'],
  state: string | false,
  onLog: Log,
) {
  if (endpoint === undefined) return undefined
  return createMeaningSearch({
    endpoint,
    store: createVectorStore(state === false ? undefined : join(state, 'vectors')),
    onLog,
  })
}

/** A folder of this process, whose content is removed on exit. */
const scratchFolder = (): string => join(tmpdir(), `aggregator-mcp-${process.pid}`)
