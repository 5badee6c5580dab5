import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Aggregator,
  type AggregatorConfig,
  commandSecret,
  createAggregator,
  createEncryptionKey,
  createFileCatalogStore,
  createFileJournal,
  createFilePinStore,
  createFileTokenStore,
  createKeychain,
  createMemoryPinStore,
  createMemoryTokenStore,
  createObservableJournal,
  createRedisRateLimiter,
  createResultFiles,
  createResultStore,
  createSignIns,
  fileSecret,
  type Journal,
  keychainSecret,
  type NewTools,
  noJournal,
  type ObservableJournal,
  type PinStore,
  type Remedies,
  type SecretSources,
  type SignIns,
  type Tracing,
} from '@pith-mcp/aggregator'
import { createFileTokens, type FileTokens } from '@pith-mcp/server-kit'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'
import type { Log } from '../log/logger.ts'
import { asSentence } from '../text-of.ts'
import { version } from '../version.ts'
import { openInBrowser } from './open-in-browser.ts'

/** Sources of secrets, which are resolved when a server starts. */
const secretSources: SecretSources = {
  file: fileSecret,
  command: commandSecret,
  keychain: keychainSecret(createKeychain()),
}

/** What to do about errors, in the commands of this program. */
export const remedies: Remedies = {
  signIn: (server) => `Run "aggregator-mcp login ${server}".`,
  approveTool: () => 'A person must review and approve it first; "aggregator-mcp pin" lists it.',
  startServer: (server) => `Start ${server} again in the console.`,
}

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
    // Clients over HTTP may be on other machines.
    ...(options.resultFiles &&
      options.http === undefined && {
        resultFiles: createResultFiles(join(state === false ? scratchFolder() : state, 'files')),
      }),
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

/** A folder of this process, whose content is removed on exit. */
const scratchFolder = (): string => join(tmpdir(), `aggregator-mcp-${process.pid}`)

interface SignInsForOptions {
  state: string | false
  /** A user is present: the first call that needs a sign-in opens a browser. */
  isAttended?: boolean | undefined
  log: (text: string) => void
}

/** Sign-ins with tokens encrypted in the state folder, or in memory with --no-state. */
export function signInsFor({ state, isAttended, log }: SignInsForOptions): SignIns {
  return createSignIns({
    store: state === false ? createMemoryTokenStore() : storeIn(join(state, 'sign-ins'), log),
    async openBrowser(url) {
      log(`Sign in at ${url}`)
      await openInBrowser(url)
    },
    interactive: isAttended ?? false,
    remedies,
    secretSources,
    onLog: log,
  })
}

function storeIn(folder: string, onLog: (text: string) => void) {
  const getKey = createEncryptionKey({ folder, keychain: createKeychain(), onLog })
  return createFileTokenStore({ folder, getKey, onLog })
}

/** The access tokens; undefined with --no-state. */
export function tokensOf(
  state: string | false,
  onLog: (text: string) => void,
): FileTokens | undefined {
  return state === false ? undefined : createFileTokens({ path: join(state, 'tokens.json'), onLog })
}
