import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AggregatorConfig } from '@pith-mcp/aggregator'
import type { Admission, FileTokens, Route, Visitor } from '@pith-mcp/door'
import { apiRoutes } from '../api/api-routes.ts'
import { createLiveFeed } from '../api/live/live-feed.ts'
import type { ApiContext } from '../api/operation/context.ts'
import { createSignInStates } from '../api/operation/sign-in-states.ts'
import { allServers } from '../api/operations/servers.ts'
import type { Settings } from '../config.ts'
import type { OpenedAggregator } from '../open/open-aggregator.ts'
import { createCodeCheck } from '../session/console-codes.ts'
import { createConsoleSessions } from '../session/console-sessions.ts'
import { cookieName } from '../session/cookie.ts'
import { linkTo } from '../session/link-to.ts'
import { staticRoute } from './static-route.ts'

export interface ConsoleOptions {
  opened: OpenedAggregator
  settings: Settings
  config: () => AggregatorConfig
  tokens: FileTokens | undefined
  /** Where browsers find it, if that is another address than ours. */
  publicUrl: string | undefined
  /** Of the static files; without it there is the API alone. */
  folder: string | undefined
}

/** The console and its API, for as long as the door is open. */
export interface Console {
  /** Whose browser it is. */
  sessionOf(request: IncomingMessage): Visitor | undefined
  isSessionOpen(visitor: Visitor): boolean
  routes(admission: Admission): readonly Route[]
  /** The door is open at this address. */
  isOpenAt(url: string, port: number): void
  /** Makes codes that open it; whoever can read it owns the aggregator. */
  readonly key: string
  /** An address that opens it once. */
  link(): string
  close(): void
}

export function openConsole(options: ConsoleOptions): Console {
  const { opened, settings, config, tokens, publicUrl, folder } = options
  const key = randomBytes(32).toString('base64url')
  const sessions = createConsoleSessions()
  const where = { url: '', port: 0 }
  const live = createLiveFeed({
    servers: () => allServers(context),
    versions: () => ({
      pins: opened.pins.version(),
      catalog: opened.aggregator.gateway.catalog.version,
      config: config(),
    }),
  })
  const ends = [
    opened.journal.listen(live.note),
    opened.signIns.onSignedIn((unit) => {
      context.signInStates.forget(unit)
      live.changed('sign-ins')
    }),
  ]
  const context: ApiContext = {
    ...opened,
    settings,
    config,
    live,
    sessions,
    tokens,
    signInStates: createSignInStates(opened.signIns),
    within: { id: 'console', era: 'modern', capabilities: {}, notify() {} },
    mcpUrl: () => `${baseUrl()}/mcp`,
    startedAt: new Date().toISOString(),
  }
  /** Without the path of MCP: behind a proxy all may stand under a prefix. */
  function baseUrl(): string {
    return publicUrl === undefined ? where.url : publicUrl.replace(/\/(?:mcp(?:\/.*)?)?$/, '')
  }
  const cookie = {
    name: () => cookieName(where.port),
    isSecure: publicUrl?.startsWith('https:') === true,
  }
  return {
    key,
    sessionOf: (request) => sessions.find(request, cookie.name()),
    isSessionOpen: sessions.isOpen,
    routes: (admission) => [
      ...apiRoutes({ context, admission, isGoodCode: createCodeCheck(key), cookie }),
      ...(folder === undefined ? [] : [staticRoute(folder)]),
    ],
    isOpenAt: (url, port) => void Object.assign(where, { url, port }),
    link: () => linkTo(baseUrl(), key),
    close() {
      for (const end of ends) end()
      live.close()
    },
  }
}
