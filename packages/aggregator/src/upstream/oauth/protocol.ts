import type { HttpServer } from '../../config/server-config.ts'
import type { Challenge } from '../connection/connection.ts'
import type { Fetch } from './bounded-fetch.ts'
import type { Discovery, OauthClient } from './credential.ts'

interface Authorization {
  url: URL
  /** The PKCE code verifier. */
  verifier: string
}

/** The steps of an OAuth sign-in to an MCP server. `fetch` must be bounded. */
export interface Protocol {
  /** Requests the server without a token and returns its challenge. */
  challengeOf(server: HttpServer, signal: AbortSignal): Promise<Challenge>
  /** @throws {Error} if no authorization server is found; the message gives the reason */
  discover(serverUrl: string, challenge: Challenge, fetch: Fetch): Promise<Discovery>
  /** Resolves to undefined if the authorization server has no dynamic registration. */
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
  /** @throws {Error} if `iss` is not the issuer of `discovery` (RFC 9207) */
  checkIssuer(discovery: Discovery, iss: string | undefined): void
}
