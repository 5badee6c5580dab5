import { createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Authenticator, Principal, Route } from '@pith-mcp/server-kit'
import type { Documents } from '@pith-mcp/server-kit/database'
import { consoleFolder } from '../src/index.ts'
import type { Api, ApiOperation } from './api/api.ts'
import { apiRoutes } from './api/api-routes.ts'
import { createLiveFeed, type LiveFeedOptions } from './api/live/live-feed.ts'
import { createCodeCheck, linkTo } from './session/console-codes.ts'
import { cookieName, createConsoleSessions, sharedCookieName } from './session/console-sessions.ts'
import { staticRoute } from './static-files.ts'

export interface ConsoleOptions<Row extends ApiOperation> {
  api: Api<Row>
  live: LiveFeedOptions
  /** What replicas have in common; undefined for a process of its own. */
  shared: { key: { first: Buffer }; documents: Documents } | undefined
  /** The URL that browsers use, if it differs from ours. */
  publicUrl: string | undefined
  /** Whether this process serves TLS. */
  hasTls: boolean
  /** The reply for paths at which there is nothing. */
  notFoundText: string
  onLog: (text: string) => void
}

/** The console and its API. */
export function openConsole<Row extends ApiOperation>(options: ConsoleOptions<Row>) {
  const { api, shared, publicUrl, hasTls, notFoundText, onLog } = options
  // Links of one replica are opened by any.
  const key = shared
    ? createHmac('sha256', shared.key.first).update('console').digest('base64url')
    : randomBytes(32).toString('base64url')
  let authenticator: Authenticator | undefined
  const isValid = (signedIn: Principal): boolean => authenticator?.isStillValid(signedIn) === true
  const sessions = createConsoleSessions(isValid, shared?.documents, onLog)
  const location = { url: '', port: 0 }
  const live = createLiveFeed(options.live)
  /** Without the path of MCP. Behind a proxy it may have a prefix. */
  function baseUrl(): string {
    return publicUrl ?? location.url
  }
  const cookie = {
    name: () => (shared ? sharedCookieName : cookieName(location.port)),
    isSecure: publicUrl?.startsWith('https:') ?? hasTls,
  }
  /** Whether the pages have been built; the API is served in any case. */
  const hasPages = existsSync(join(consoleFolder, 'index.html'))
  return {
    hasPages,
    /** Signs the codes of links. A reader of it has the rights of the owner. */
    key,
    live,
    baseUrl,
    /** The principal of a request with a console session. */
    sessionOf: (request: IncomingMessage) => sessions.find(request, cookie.name()),
    isSessionOpen: sessions.isOpen,
    routes(auth: Authenticator): readonly Route[] {
      authenticator = auth
      const isGoodCode = createCodeCheck(key, Date.now, shared?.documents)
      return [
        ...apiRoutes({ api, live, sessions, authenticator: auth, isGoodCode, cookie }),
        ...(hasPages ? [staticRoute(consoleFolder, notFoundText)] : []),
      ]
    },
    /** Call when the HTTP endpoint listens at this address. */
    listensAt: (url: string, port: number) => void Object.assign(location, { url, port }),
    /** Create a link that signs in once. */
    link: () => linkTo(baseUrl(), key),
  }
}
