import type {
  AggregatorConfig,
  Journal,
  JournalReader,
  NewTools,
  ServerConfig,
  SignInState,
  SignIns,
} from '@pith-mcp/aggregator'
import { qualifiedName } from '@pith-mcp/aggregator'
import type { Settings } from '../config.ts'
import type { OpenedAggregator } from '../open/open-aggregator.ts'
import type { State } from '../open/open-state.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import { ApiError, notFound } from './problem.ts'

/** What changed, for listeners to live events. */
export const changes = ['pins', 'approvals', 'config', 'tokens', 'catalog', 'sign-ins'] as const
type Changed = (typeof changes)[number]

/** What operations on the state use: a command opens it without an aggregator. */
export interface StateContext {
  settings: Settings
  /** The current configuration. @throws {UsageError} if a command cannot read it */
  config(): AggregatorConfig
  state: State
  journal: Journal
  secrets(): Promise<SecretStore>
  changed(what: Changed): void
  /** What happens to new tools, if it is known. */
  newTools?: NewTools
  aggregator?: OpenedAggregator['aggregator']
}

/** What operations may use. */
export interface OperationContext extends StateContext, OpenedAggregator {
  aggregator: OpenedAggregator['aggregator']
  journal: OpenedAggregator['journal']
  newTools: NewTools
  signInStates: ReturnType<typeof createSignInStates>
  /** The session of operations: the owner, as a client. */
  ownerSession: Parameters<
    OpenedAggregator['aggregator']['gateway']['discovery']['readUnlessStored']
  >[1]
  /** The URL of the MCP endpoint. */
  mcpUrl(): string
  startedAt: string
}

/** Everything, as the owner sees it. */
export const ownerView = ({ aggregator: { gateway }, ownerSession }: OperationContext) =>
  gateway.viewFor({ session: ownerSession, capabilities: {} })

/** @throws {ApiError} 404 for a profile that is not configured */
export function checkProfile(
  profile: string | undefined,
  { config }: Pick<StateContext, 'config'>,
): void {
  if (profile !== undefined && !Object.hasOwn(config().settings.profiles ?? {}, profile))
    throw notFound(`profile ${JSON.stringify(profile)}`, 'GET /profiles lists them.')
}

/** @throws {ApiError} 409 if the journal is disabled */
export function journalOf({ state: { journalReader } }: StateContext): JournalReader {
  if (journalReader !== undefined) return journalReader
  throw new ApiError(
    409,
    'no_journal',
    'The journal is disabled.',
    'Enable it under aggregator.journal in the configuration, and run without --no-state.',
  )
}

/** Milliseconds a state is cached: reading it may run commands and open keychains. */
const ttlMs = 5_000

/** The sign-in states of units, cached. */
export function createSignInStates(signIns: SignIns) {
  const cache = new Map<string, { at: number; state: Promise<SignInState | undefined> }>()
  return {
    async of(unit: ServerConfig): Promise<SignInState | undefined> {
      if (unit.type === 'stdio' || unit.problem !== undefined) return undefined
      const name = qualifiedName(unit)
      const entry = cache.get(name)
      if (entry && performance.now() - entry.at < ttlMs) return entry.state
      const state = signIns.stateOf(unit).catch(() => undefined)
      cache.set(name, { at: performance.now(), state })
      return state
    },
    /** Drop the cached state of a unit. */
    forget: (unit: string) => void cache.delete(unit),
  }
}
