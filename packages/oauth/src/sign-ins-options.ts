import type { Resolve } from '@pith-mcp/ssrf-guard'
import type { Remedies } from '#servers/protocol/remedies'
import type { SecretSources } from '#servers/secrets/secret-sources'
import type { Fetch } from './bounded-fetch.ts'
import type { ListenForCallback } from './callback-listener.ts'
import type { PublicCallbacks } from './public-callbacks.ts'
import type { TokenStore } from './token-store.ts'

/** Token store, browser and bounds of sign-ins; all but `store` have defaults. */
export interface SignInsOptions {
  store: TokenStore
  /** Opens the page to sign in at. A rejection is logged; the sign-in continues. */
  openBrowser: (url: string) => Promise<void> | void
  /**
   * The first tool call that needs a sign-in begins it. Otherwise its error says how. Default
   * false.
   */
  interactive?: boolean | undefined
  onLog?: ((text: string) => void) | undefined
  /** Replaces the sentence that says how to sign in. */
  remedies?: Partial<Pick<Remedies, 'signIn'>> | undefined
  /** Looks up references in the configuration. */
  secretSources?: SecretSources | undefined
  fetch?: Fetch | undefined
  /** Resolves host names of authorization servers. Default: the operating system. */
  resolve?: Resolve | undefined
  /** Redirects arrive at the public address. Default: on a port of this machine. */
  callbacks?: PublicCallbacks | undefined
  /** Waits for redirects on this machine. Default: on loopback. */
  listen?: ListenForCallback | undefined
  /** Time in which a user must sign in. Default 5 minutes. */
  timeoutMs?: number | undefined
  /** Timeout of one request to an authorization server. Default 15 s. */
  requestMs?: number | undefined
}
