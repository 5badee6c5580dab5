import type { AggregatorConfig } from '@pith-mcp/aggregator'
import type { Authenticator, FileTokens } from '@pith-mcp/server-kit'
import type { Settings } from '../../config.ts'
import type { OpenedAggregator } from '../../open/open-aggregator.ts'
import type { ConsoleSessions } from '../../session/console-sessions.ts'
import type { LiveFeed } from '../live/live-feed.ts'
import type { SignInStates } from './sign-in-states.ts'

/** What operations of the API may use. */
export interface ApiContext extends OpenedAggregator {
  settings: Settings
  /** The current configuration. */
  config: () => AggregatorConfig
  live: LiveFeed
  sessions: ConsoleSessions
  /** Undefined with --no-state. */
  tokens: FileTokens | undefined
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
  isGoodCode: (code: string) => boolean
  cookie: { name: () => string; isSecure: boolean }
}
