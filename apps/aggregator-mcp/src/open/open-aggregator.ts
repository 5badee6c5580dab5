import { join } from 'node:path'
import {
  type Aggregator,
  type AggregatorConfig,
  commandSecret,
  createAggregator,
  createKeychain,
  createObservableJournal,
  createPublicCallbacks,
  createResultFiles,
  createSignIns,
  fileSecret,
  keychainSecret,
  type NewTools,
  type Remedies,
  type SecretSources,
  type SignIns,
  type SignInsOptions,
  type Tracing,
} from '@pith-mcp/aggregator'
import { asSentence } from '@pith-mcp/base/as-sentence'
import { type Environment, UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'
import type { Log } from '../log/logger.ts'
import { version } from '../version.ts'
import { openInBrowser } from './open-in-browser.ts'
import { openState, scratchFolder } from './open-state.ts'
import { createServerLogs } from './server-logs.ts'

const keychain = createKeychain()

/** Sources of secrets, which are resolved when a server starts. */
const secretSources: SecretSources = {
  file: fileSecret,
  command: commandSecret,
  keychain: keychainSecret(keychain),
}

/** What to do about errors, in the commands of this program. */
export const remedies: Remedies = {
  signIn: (server) => `Run "aggregator-mcp login ${server}".`,
  approveTool: () => 'A person must review and approve it first; "aggregator-mcp pin" lists it.',
  approveCall: (needsAnother) =>
    `${needsAnother ? 'Another person than the caller' : 'A person'} can approve it in the console, or on the command line of its machine.`,
  startServer: (server) => `Start ${server} again in the console.`,
}

/** An aggregator and its parts; no callbacks without a public address. */
export type OpenedAggregator = Awaited<ReturnType<typeof openAggregator>>

interface OpenOptions extends Settings {
  isAttended?: boolean
  isCommand?: boolean
  tracing?: Tracing | undefined
  /** Of the client. Default: that of this process. */
  environment?: Environment
}

/** What results and first pages may have. */
const budgetsOf = ({ maxResultCharacters: most, firstPageCharacters: first }: OpenOptions) => ({
  ...(most !== undefined && { results: { characters: most, tokens: most / 2 } }),
  ...(first !== undefined && { firstPages: { characters: first, tokens: first / 4 } }),
})

/** Create an aggregator from a configuration and a command line. @throws {UsageError} */
export async function openAggregator(
  { servers, disabled, settings }: AggregatorConfig,
  options: OpenOptions,
  log: Log,
) {
  const { state, mode, prefix, http, isCommand } = options
  const warn = (text: string): void => log(text, 'warn')
  const { trust } = settings
  // By default a command pins nothing: the served aggregator would take it for approved.
  const byDefault = http === undefined || trust?.pin === false ? 'allow' : 'hold'
  const newTools: NewTools = trust?.new ?? (isCommand ? 'ignore' : byDefault)
  checkProfile(options, settings)
  for (const { name, problem } of servers)
    if (problem) warn(`${name} cannot be used: ${asSentence(problem)}`)
  const isKept = state !== false || !!options.databaseUrl
  const isServed = http !== undefined && !isCommand
  const stores = await openState({ ...options, isServed }, settings.journal, warn)
  const { engines } = stores
  const isReplica = engines.cache !== undefined && http !== undefined
  const publicUrl = publicUrlOf(options, settings)
  const callbacks =
    http === undefined || publicUrl === undefined
      ? undefined
      : createPublicCallbacks(publicUrl, isReplica ? engines.replica : undefined)
  const signIns = signInsFor({ store: stores.signIns, callbacks }, options.isAttended ?? false, log)
  const journal = createObservableJournal(stores.openJournal())
  const reader = stores.journalReader
  const logs = createServerLogs()
  const opened = createAggregator({
    ...settings,
    servers,
    disabled,
    sharedLimits: await stores.limits(settings.limits?.redis),
    ...(isReplica && { replica: engines.replica }),
    // A person at the terminal knows what runs; over HTTP, users answer for servers of others.
    ...(http !== undefined && { asks: ['form'] as const }),
    // An approval that is not stored would be asked for at each start.
    trust: { ...trust, newTools, asks: isKept && !isCommand, reports: !isCommand },
    journal,
    effects: reader && { find: reader.effects(), ...Object(settings.journal) },
    tracing: options.tracing,
    environment: options.environment,
    secretSources,
    remedies,
    signIns,
    pinStore: stores.pins,
    approvalStore: stores.approvals,
    mode,
    prefix,
    identity: { name: 'aggregator-mcp', version },
    onLog: warn,
    onStderr(server, line) {
      logs.add(server, line)
      if (options.stderr) log(`${server}: ${line}`, 'info', { server })
    },
    ...budgetsOf(options),
    ...(stores.catalog && { catalogStore: stores.catalog }),
    resultStore: stores.results(),
    // Clients over HTTP may be on other machines.
    ...(options.resultFiles &&
      options.http === undefined && {
        resultFiles: createResultFiles(join(state === false ? scratchFolder() : state, 'files')),
      }),
  })
  stores.follow(opened)
  if (reader && !isCommand)
    void opened.deps.effects
      ?.judge(reader)
      .catch(({ message }: Error) => warn(`Calls of ended processes were not judged: ${message}`))
  const aggregator: Aggregator = {
    ...opened,
    async close() {
      await opened.close()
      await stores.close()
    },
  }
  return { aggregator, signIns, callbacks, journal, logs, state: stores, newTools, keychain }
}

type ReadSettings = AggregatorConfig['settings']

/** The address that browsers use, without the path of MCP; undefined if it is not known. */
export const publicUrlOf = (
  { publicUrl }: Pick<Settings, 'publicUrl'>,
  { oauth }: ReadSettings,
): string | undefined => (publicUrl ?? oauth?.resource)?.replace(/\/(?:mcp(?:\/.*)?)?$/, '')

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

/** With `isAttended`, a user is present: the first call that needs a sign-in opens a browser. */
export function signInsFor(
  options: Pick<SignInsOptions, 'store' | 'callbacks' | 'listen'>,
  isAttended: boolean,
  log: (text: string) => void,
): SignIns {
  return createSignIns({
    ...options,
    async openBrowser(url) {
      log(`Sign in at ${url}`)
      await openInBrowser(url)
    },
    interactive: isAttended,
    remedies,
    secretSources,
    onLog: log,
  })
}
