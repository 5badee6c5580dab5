import { raceAbort } from '#base/race-abort'
import type { HttpServer, ServerConfig } from '#servers/config/server-config'
import type { TokenSource } from '#servers/connection/connection'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { defaultRemedies } from '#servers/protocol/remedies'
import { qualifiedName } from '#servers/protocol/server-account'
import { lookUpSecrets } from '#servers/secrets/secret-sources'
import { createBoundedFetch, type Fetch } from './bounded-fetch.ts'
import { type Grant, keyOf } from './credential.ts'
import { explainSignIn, urlMs } from './explain-sign-in.ts'
import { KnownSecrets } from './known-secrets.ts'
import { SignInEntries, type SignInEntry } from './sign-in-entries.ts'
import type { SignInsOptions } from './sign-ins-options.ts'
import { type SignInContext, startSignIn } from './start-sign-in.ts'
import { TokenKeeper } from './token-keeper.ts'
import { revokeTokens } from './token-requests.ts'

/** `expired`: a user signed in once and must sign in again. */
export type SignInState = 'none' | 'signed in' | 'expired'

/** Sign-ins to servers with OAuth, and their tokens. */
export type SignIns = ReturnType<typeof createSignIns>

/** Signs in to servers over HTTP by OAuth 2.1 with PKCE, renews tokens, and revokes them. */
export function createSignIns(options: SignInsOptions) {
  const { store, secretSources = {} } = options
  const { signIn: signInRemedy } = { ...defaultRemedies, ...options.remedies }
  const secrets = new KnownSecrets()
  const { learn, redact } = secrets
  const closing = new AbortController()
  const onLog = (text: string): void => options.onLog?.(redact(text))
  const fetchFor = ({ url: serverUrl }: HttpServer): Fetch => {
    const { fetch, resolve, requestMs: timeoutMs } = options
    return createBoundedFetch({ serverUrl, fetch, resolve, timeoutMs })
  }
  const entries = new SignInEntries(
    store,
    (server) => new TokenKeeper({ server, store, fetch: fetchFor(server), learn }),
  )
  const { signal } = closing
  const context: SignInContext = {
    options,
    entries,
    secrets,
    closing: signal,
    onLog,
    fetchFor,
    signInRemedy,
  }

  /** The server with its secrets. */
  async function resolved(server: ServerConfig, cancel = signal): Promise<HttpServer> {
    const lookUp = await lookUpSecrets(signable(server), secretSources, cancel)
    learn({}, ...lookUp.values)
    return lookUp.server
  }

  return {
    /**
     * Runs a sign-in, even if there is a valid token. Resolves when the tokens are stored.
     * @throws {Error} with the reason
     * @throws {AggregatorError} `needs_sign_in` with the URL if another process is running a sign-in
     */
    async signIn(server: ServerConfig, cancel: AbortSignal = signal) {
      const entry = entries.of(await resolved(server, cancel))
      await raceAbort(startSignIn(entry, context, { signal: cancel }).done, cancel)
    },
    /** Begins a sign-in unless one is in progress. Resolves to its URL and opens no browser. */
    async begin(server: ServerConfig) {
      const entry = entries.of(await resolved(server))
      const { url } = startSignIn(entry, context, { isShown: false })
      return raceAbort(url, AbortSignal.timeout(urlMs))
    },
    /** Deletes the tokens, and asks the authorization server to revoke them. */
    async signOut(server: ServerConfig) {
      const httpServer = await resolved(server)
      entries.of(httpServer).reason = undefined
      return signOut(httpServer, context)
    },
    async stateOf(server: ServerConfig): Promise<SignInState> {
      const credential = await store.read(keyOf(await resolved(server)))
      if (credential?.grant === undefined) return 'none'
      const { refreshToken, expiresAt = Number.POSITIVE_INFINITY } = credential.grant.tokens
      return refreshToken === undefined && expiresAt < Date.now() ? 'expired' : 'signed in'
    },
    /** Undefined for a server without OAuth. */
    tokensFor: (server: ServerConfig): TokenSource | undefined =>
      takesTokens(server) ? entries.of(server).keeper : undefined,
    /** Converts an error of a connection into the error for the caller. */
    explain: (server: ServerConfig, error: unknown) => explainSignIn(server, error, context),
    /**
     * Calls `listener` with all known secrets, and with new ones before they are used. Returns a
     * function that unsubscribes.
     */
    onSecrets: secrets.listen,
    /** Calls `listener` with the unit when a needed sign-in is done, in any process. */
    onSignedIn: (listener: (unit: string) => void) => entries.onSignedIn(listener),
    /** Cancels sign-ins in progress. */
    close() {
      closing.abort(new Error('it was cancelled'))
      entries.close()
    },
  }
}

/**
 * @throws {AggregatorError} `bad_argument` for a server without sign-ins, `bad_config` for a server
 * with a problem
 */
function signable(server: ServerConfig): HttpServer {
  if (server.type === 'stdio')
    throw new AggregatorError(
      'bad_argument',
      `${qualifiedName(server)} is a command on this machine and has no sign-in.`,
      'Only servers with a url have sign-ins.',
    )
  if (server.problem === undefined) return server
  throw new AggregatorError(
    'bad_config',
    `${qualifiedName(server)} cannot be used with its configuration: ${server.problem}.`,
    'Correct the configuration or the environment.',
  )
}

/** A configured token takes precedence over a sign-in. */
function takesTokens(server: ServerConfig): server is HttpServer {
  if (server.type === 'stdio') return false
  const names = Object.keys(server.headers).map((name) => name.toLowerCase())
  return !names.includes('authorization') || server.oauth !== undefined
}

/**
 * `revoked`: the authorization server revoked the tokens. `forgotten`: they were only deleted here.
 */
export type SignedOut = 'none' | 'forgotten' | 'revoked'

/** Deletes the tokens of a server, then asks its authorization server to revoke them. */
async function signOut(
  server: SignInEntry['server'],
  { options: { store }, fetchFor, secrets, onLog }: SignInContext,
): Promise<SignedOut> {
  const key = keyOf(server)
  const unit = qualifiedName(server)
  let grant: Grant | undefined
  try {
    await store.change(key, (credential) => {
      grant = credential?.grant
      const { registration, issuer } = credential ?? {}
      const isEmpty = registration === undefined && issuer === undefined
      return isEmpty ? undefined : { registration, issuer }
    })
  } catch (error) {
    const { message } = error as Error
    onLog(`The stored credential of ${unit} cannot be read and is removed: ${message}.`)
    await store.remove(key)
  }
  if (grant === undefined) return 'none'
  secrets.learn({ grant })
  const isRevoked = await revokeTokens(grant, fetchFor(server)).catch((error: Error) => {
    onLog(`${unit}: The tokens were not revoked: ${error.message}.`)
    return false
  })
  return isRevoked ? 'revoked' : 'forgotten'
}
