import {
  type AggregatorConfig,
  type JournalReader,
  type ServerConfig,
  type SignInState,
  type SignIns,
  unitName,
} from '@pith-mcp/aggregator'
import type { Authenticator } from '@pith-mcp/server-kit'
import type { Settings } from '../../config.ts'
import type { OpenedAggregator } from '../../open/open-aggregator.ts'
import type { ConsoleSessions } from '../../session/console-sessions.ts'
import type { LiveFeed } from '../live/live-feed.ts'
import { ApiError, notFound } from './problem.ts'

/** What operations of the API may use. */
export interface ApiContext extends OpenedAggregator {
  settings: Settings
  /** The current configuration. */
  config: () => AggregatorConfig
  live: LiveFeed
  sessions: ConsoleSessions
  signInStates: SignInStates
  /** The session of operations: the owner, as a client. */
  ownerSession: Parameters<OpenedAggregator['aggregator']['gateway']['discovery']['know']>[1]
  /** The URL of the MCP endpoint. */
  mcpUrl: () => string
  startedAt: string
}

export interface ApiRoutesOptions {
  context: ApiContext
  authenticator: Authenticator
  /** Whether the code of a sign-in link is valid. */
  isGoodCode: (code: string) => boolean | Promise<boolean>
  cookie: { name: () => string; isSecure: boolean }
}

/** @throws {ApiError} 404 for a profile that is not configured */
export function checkProfile(profile: string | undefined, { config }: ApiContext): void {
  if (profile !== undefined && !Object.hasOwn(config().settings.profiles ?? {}, profile))
    throw notFound(`profile ${JSON.stringify(profile)}`, 'GET /profiles lists them.')
}

/** @throws {ApiError} 409 if the journal is disabled */
export function journalOf({ state: { journalReader } }: ApiContext): JournalReader {
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

type SignInStates = ReturnType<typeof createSignInStates>

/** The sign-in states of units, cached. */
export function createSignInStates(signIns: SignIns) {
  const known = new Map<string, { at: number; state: Promise<SignInState | undefined> }>()
  return {
    async of(unit: ServerConfig): Promise<SignInState | undefined> {
      if (unit.type === 'stdio' || unit.problem !== undefined) return undefined
      const name = unitName(unit)
      const found = known.get(name)
      if (found && performance.now() - found.at < ttlMs) return found.state
      const state = signIns.stateOf(unit).catch(() => undefined)
      known.set(name, { at: performance.now(), state })
      return state
    },
    /** Drop the cached state of a unit. */
    forget: (unit: string) => void known.delete(unit),
  }
}
