import type { HttpServer } from '../../config/server-config.ts'
import type { Challenge } from '../connection/connection.ts'
import type { Fetch } from './bounded-fetch.ts'
import type { Discovery, OauthClient } from './credential.ts'

interface Authorization {
  url: URL
  /** Proves with the code that it is us who asked. */
  verifier: string
}

/** The steps of a sign-in that are the same for all servers of MCP. `fetch` is bounded. */
export interface Protocol {
  /** What a server says to one without a token. */
  challengeOf(server: HttpServer, signal: AbortSignal): Promise<Challenge>
  /** @throws with the reason, where a server does not say who can grant access */
  discover(serverUrl: string, challenge: Challenge, fetch: Fetch): Promise<Discovery>
  /** Undefined where clients cannot register themselves. */
  register(
    discovery: Discovery,
    redirectUrl: string,
    scope: string | undefined,
    fetch: Fetch,
  ): Promise<OauthClient | undefined>
  authorize(
    discovery: Discovery,
    client: OauthClient,
    given: { redirectUrl: string; scope: string | undefined; state: string },
  ): Promise<Authorization>
  /** @throws when another server than the one that was asked has answered */
  checkIssuer(discovery: Discovery, iss: string | undefined): void
}
