import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Aggregator,
  type AggregatorConfig,
  countInRedis,
  createAggregator,
  createFileCatalogStore,
  createFileJournal,
  createFilePinStore,
  createHeardJournal,
  createMeaningSearch,
  createMemoryPinStore,
  createResultStore,
  embedBy,
  type HeardJournal,
  type Journal,
  noJournal,
  type PinStore,
  type SignIns,
  type Tracing,
  vectorStoreIn,
} from '@pith-mcp/aggregator'
import type { Settings } from '../config.ts'
import type { Log } from '../log/logger.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { secretSources } from './secret-sources.ts'
import { signInsFor } from './sign-ins-for.ts'

/** An aggregator, and what it was made of. */
export interface OpenedAggregator {
  aggregator: Aggregator
  signIns: SignIns
  pins: PinStore
  /** Tells of each line as it is written. */
  journal: HeardJournal
  /** Undefined where no journal is kept. */
  journalFolder: string | undefined
}

/** An aggregator as a configuration and a command line say. */
export async function openAggregator(
  { servers, disabled, settings }: AggregatorConfig,
  options: Settings & { isAttended?: boolean; tracing?: Tracing | undefined },
  log: Log,
): Promise<OpenedAggregator> {
  const { state, mode, prefix, resultCharacters } = options
  const { redis } = settings.limits ?? {}
  const warn = (text: string): void => log(text, 'warn')
  checkProfile(options.profile, settings)
  for (const { name, problem } of servers) if (problem) warn(`${name} cannot be used: ${problem}.`)
  const signIns = signInsFor({ state, isAttended: options.isAttended, log })
  const pins =
    state === false ? createMemoryPinStore() : createFilePinStore(join(state, 'pins'), warn)
  const journal = createHeardJournal(journalOf(settings.journal, state, warn))
  const aggregator = createAggregator({
    servers,
    disabled,
    profiles: settings.profiles,
    callers: settings.callers,
    limits: limitsOf({ settings }),
    sharedCounts: redis === undefined ? undefined : await countInRedis(redis, warn),
    trust: settings.trust,
    journal,
    tracing: options.tracing,
    meaning: meaningOf(settings.search?.embeddings, state, warn),
    secretSources,
    signIns,
    pinStore: pins,
    mode,
    prefix,
    identity: { name: 'aggregator-mcp', version },
    onLog: warn,
    ...(options.stderr && {
      onStderr: (server, line) => log(`${server}: ${line}`, 'info', { server }),
    }),
    ...(resultCharacters !== undefined && {
      results: { characters: resultCharacters, tokens: resultCharacters / 2 },
    }),
    ...(state !== false && {
      catalogStore: createFileCatalogStore(join(state, 'catalog'), warn),
    }),
    resultStore: createResultStore(state === false ? scratchFolder() : join(state, 'results')),
  })
  const journalFolder = journalFolderOf(settings.journal, state)
  return { aggregator, signIns, pins, journal, journalFolder }
}

type ReadSettings = AggregatorConfig['settings']

/** Limits of all, and of callers with names. */
export function limitsOf({ settings }: Pick<AggregatorConfig, 'settings'>) {
  const { caller, server, tool, sessionTokens } = settings.limits ?? {}
  return { caller, server, tool, sessionTokens, callers: settings.callers ?? {} }
}

/** The profile of the whole process must be there. @throws {UsageError} */
export function checkProfile(name: string | undefined, { profiles = {} }: ReadSettings): void {
  if (name === undefined || Object.hasOwn(profiles, name)) return
  const names = Object.keys(profiles)
  throw new UsageError(
    `--profile ${name}: there is no such profile; ${names.length > 0 ? `there are ${names.join(', ')}` : '"aggregator": {"profiles": {…}} of the configuration has none'}.`,
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

function journalOf(journal: ReadSettings['journal'], state: string | false, onLog: Log): Journal {
  const folder = journalFolderOf(journal, state)
  if (folder === undefined) return noJournal
  const { days, megabytes } = typeof journal === 'object' ? journal : {}
  return createFileJournal({ folder, days, megabytes, onLog })
}

function meaningOf(
  endpoint: NonNullable<ReadSettings['search']>['embeddings'],
  state: string | false,
  onLog: Log,
) {
  if (endpoint === undefined) return undefined
  return createMeaningSearch({
    embed: embedBy(endpoint),
    model: endpoint.model,
    store: vectorStoreIn(state === false ? undefined : join(state, 'vectors')),
    onLog,
  })
}

/** Of this process; what is in it is removed at the end. */
const scratchFolder = (): string => join(tmpdir(), `aggregator-mcp-${process.pid}`)
