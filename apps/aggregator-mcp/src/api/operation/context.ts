import type { AggregatorConfig } from '@pith-mcp/aggregator'
import type { Admission, FileTokens } from '@pith-mcp/door'
import type { Settings } from '../../config.ts'
import type { OpenedAggregator } from '../../open/open-aggregator.ts'
import type { ConsoleSessions } from '../../session/console-sessions.ts'
import type { LiveFeed } from '../live/live-feed.ts'
import type { SignInStates } from './sign-in-states.ts'

/** What the API works on. */
export interface ApiContext extends OpenedAggregator {
  settings: Settings
  /** As it is configured now. */
  config: () => AggregatorConfig
  live: LiveFeed
  sessions: ConsoleSessions
  /** Undefined where nothing is kept. */
  tokens: FileTokens | undefined
  signInStates: SignInStates
  /** Whoever owns it, as a client. */
  within: Parameters<OpenedAggregator['aggregator']['gateway']['know']>[1]
  /** Where MCP is served. */
  mcpUrl: () => string
  startedAt: string
}

export interface ApiRoutesOptions {
  context: ApiContext
  admission: Admission
  /** Whether a code of a link is good. */
  isGoodCode: (code: string) => boolean
  cookie: { name: () => string; isSecure: boolean }
}
