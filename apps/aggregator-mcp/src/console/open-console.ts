import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type AggregatorConfig, createKeychain } from '@pith-mcp/aggregator'
import type { Authenticator, Principal, Route } from '@pith-mcp/server-kit'
import { apiRoutes } from '../api/api-routes.ts'
import { createLiveFeed } from '../api/live/live-feed.ts'
import type { Settings } from '../config.ts'
import type { OpenedAggregator } from '../open/open-aggregator.ts'
import { createSignInStates, type OperationContext } from '../operations/context.ts'
import { allServers } from '../operations/servers.ts'
import { createCodeCheck, linkTo } from '../session/console-codes.ts'
import { cookieName, createConsoleSessions, sharedCookieName } from '../session/console-sessions.ts'
import { staticRoute } from './static-files.ts'

export interface ConsoleOptions {
  opened: OpenedAggregator
  settings: Settings
  config: () => AggregatorConfig
  /** The URL that browsers use, if it differs from ours. */
  publicUrl: string | undefined
  /** The folder of the static files. If undefined, only the API is served. */
  folder: string | undefined
  onLog: (text: string) => void
}

/** The console and its API. */
export function openConsole(options: ConsoleOptions) {
  const { opened, settings, config, publicUrl, folder, onLog } = options
  const { shared } = opened.state.engines
  // Links of one replica are opened by any.
  const key = shared
    ? createHmac('sha256', shared.key.first).update('console').digest('base64url')
    : randomBytes(32).toString('base64url')
  let authenticator: Authenticator | undefined
  const isValid = (signedIn: Principal): boolean => authenticator?.isStillValid(signedIn) === true
  const sessions = createConsoleSessions(isValid, shared?.documents, onLog)
  const location = { url: '', port: 0 }
  const live = createLiveFeed({
    servers: () => allServers(context),
    versions: () => ({
      approvals: opened.state.approvals.version(),
      pins: opened.state.pins.version(),
      catalog: opened.aggregator.gateway.catalog.version,
      config: config(),
    }),
  })
  const subscriptions = [
    opened.journal.subscribe(live.record),
    opened.signIns.onSignedIn((unit) => {
      context.signInStates.forget(unit)
      live.changed('sign-ins')
    }),
  ]
  const context: OperationContext = {
    ...opened,
    settings,
    config,
    changed: live.changed,
    keychain: createKeychain(),
    signInStates: createSignInStates(opened.signIns),
    ownerSession: { id: 'console', era: 'modern', capabilities: {}, notify() {} },
    mcpUrl: () => `${baseUrl()}/mcp`,
    startedAt: new Date().toISOString(),
  }
  /** Without the path of MCP. Behind a proxy it may have a prefix. */
  function baseUrl(): string {
    return publicUrl ?? location.url
  }
  const cookie = {
    name: () => (shared ? sharedCookieName : cookieName(location.port)),
    isSecure: publicUrl?.startsWith('https:') ?? settings.tlsCert !== undefined,
  }
  return {
    /** Signs the codes of links. A reader of it has the rights of the owner. */
    key,
    /** The principal of a request with a console session. */
    sessionOf: (request: IncomingMessage) => sessions.find(request, cookie.name()),
    isSessionOpen: sessions.isOpen,
    routes(auth: Authenticator): readonly Route[] {
      authenticator = auth
      const isGoodCode = createCodeCheck(key, Date.now, shared?.documents)
      return [
        ...apiRoutes({ context, live, sessions, authenticator: auth, isGoodCode, cookie }),
        ...(folder === undefined ? [] : [staticRoute(folder)]),
      ]
    },
    /** Call when the HTTP endpoint listens at this address. */
    listensAt: (url: string, port: number) => void Object.assign(location, { url, port }),
    /** Create a link that signs in once. */
    link: () => linkTo(baseUrl(), key),
    close() {
      for (const unsubscribe of subscriptions) unsubscribe()
      live.close()
    },
  }
}
