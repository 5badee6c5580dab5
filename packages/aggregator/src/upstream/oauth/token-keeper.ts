import type { Resolve } from '@pith-mcp/ssrf-guard'
import type { HttpServer } from '../../config/server-config.ts'
import type { Challenge, TokenSource } from '../connection/connection.ts'
import { RenewalFailed, SignInNeeded } from '../connection/sign-in-needed.ts'
import { createBoundedFetch, type Fetch } from './bounded-fetch.ts'
import { type Credential, type Grant, keyOf, unionOf } from './credential.ts'
import { isSameIssuer } from './registered-client.ts'
import { OauthRefusal, renewTokens } from './token-requests.ts'
import type { TokenStore } from './token-store.ts'

/** The tokens of one server and account, shared by all its connections. */
export interface TokenKeeper extends TokenSource {
  /** The server's last challenge; a sign-in begins with it. */
  readonly challenge: Challenge | undefined
  /** Adds a scope that the next sign-in in any process must request. */
  want(scope: string): Promise<void>
}

export interface TokenKeeperOptions {
  server: HttpServer
  store: TokenStore
  fetch?: Fetch | undefined
  resolve?: Resolve | undefined
  timeoutMs?: number | undefined
  /** Called with every secret before it is used. */
  learn(credential: Credential): void
}

/** A token that expires within this time counts as expired. */
const marginMs = 5_000

/** Errors that a retry cannot change. */
const isFinal = ({ code }: OauthRefusal): boolean =>
  ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(code)

/** Errors after which the client must register again. */
const isOfClient = ({ code }: OauthRefusal): boolean =>
  ['invalid_client', 'unauthorized_client'].includes(code)

export function createTokenKeeper(options: TokenKeeperOptions): TokenKeeper {
  const { server, store, learn } = options
  const key = keyOf(server)
  const fetch = createBoundedFetch({
    serverUrl: server.url,
    fetch: options.fetch,
    resolve: options.resolve,
    timeoutMs: options.timeoutMs,
  })
  let challenge: Challenge | undefined
  let renewal: Promise<void> | undefined
  let unkept: { grant: Grant; spent: string } | undefined

  async function grant(): Promise<Grant | undefined> {
    const stored = await store.read(key)
    if (stored) learn(stored)
    // A refreshed grant that could not be stored is used from memory while the store has the spent
    // one.
    if (unkept !== undefined && stored?.grant?.tokens.accessToken === unkept.spent)
      return unkept.grant
    return stored?.grant
  }

  /**
   * One refresh for all waiting requests. It is not cancelled with them: it spends the old token.
   */
  function renewOnce(refused: string): Promise<void> {
    renewal ??= renew(refused).finally(() => {
      renewal = undefined
    })
    return renewal
  }

  async function renew(refused: string): Promise<void> {
    let need: SignInNeeded | undefined
    let obtained: Grant | undefined
    let isForgotten = false
    const change = store.change(key, async (stored) => {
      // Another process has refreshed it already.
      const known = stored?.grant?.tokens.accessToken
      const mine = unkept?.spent === known ? unkept?.grant : undefined
      const current = mine ?? stored?.grant
      if (current?.tokens.accessToken !== refused) return stored
      try {
        const tokens = await renewed(current)
        obtained = { ...current, tokens }
        if (known !== undefined) unkept = { grant: obtained, spent: known }
        const next = { ...stored, grant: obtained }
        learn(next)
        return next
      } catch (error) {
        if (!(error instanceof SignInNeeded)) throw error
        isForgotten = error.cause instanceof OauthRefusal && isOfClient(error.cause)
        need = error
        // An unknown client cannot sign in either: it must register again.
        return { ...stored, grant: undefined, ...(isForgotten && { registration: undefined }) }
      }
    })
    const stored = await change.catch((error: Error) => {
      if (obtained !== undefined) return { grant: obtained }
      const why = `its token could not be refreshed: ${error.message}`
      throw new RenewalFailed(why, { cause: error })
    })
    if (need !== undefined) throw need
    if (stored?.grant === undefined) throw new SignInNeeded('no user is signed in')
  }

  async function renewed(granted: Grant): Promise<Grant['tokens']> {
    if (granted.tokens.refreshToken === undefined) throw new SignInNeeded('the sign-in has expired')
    const { issuer } = server.oauth ?? {}
    if (issuer !== undefined && !isSameIssuer(issuer, granted.discovery.issuer))
      throw new SignInNeeded(
        'the last sign-in was at another authorization server than the configured one',
      )
    try {
      return await renewTokens(granted, fetch)
    } catch (error) {
      if (!(error instanceof OauthRefusal && isFinal(error))) throw error
      throw new SignInNeeded(`the sign-in has expired (${error.message})`, undefined, error)
    }
  }

  return {
    get challenge() {
      return challenge
    },
    async token() {
      const tokens = (await grant())?.tokens
      if (tokens === undefined) return undefined
      const { accessToken, refreshToken, expiresAt = Number.POSITIVE_INFINITY } = tokens
      if (expiresAt > Date.now() + marginMs || refreshToken === undefined) return accessToken
      // Without a valid token the server answers with the challenge that a sign-in needs.
      await renewOnce(accessToken).catch((error: unknown) => {
        const mayStillDo = error instanceof RenewalFailed && expiresAt > Date.now()
        if (!mayStillDo && !(error instanceof SignInNeeded)) throw error
      })
      return (await grant())?.tokens.accessToken
    },
    async renew(refused, received) {
      challenge = received
      const now = (await grant())?.tokens.accessToken
      if (now === undefined) throw new SignInNeeded('no user is signed in')
      // The rejected token has been replaced since.
      if (now !== refused) return
      await renewOnce(now)
    },
    async want(scope) {
      await store.change(key, (stored) => {
        const requestedScope = unionOf(stored?.requestedScope, scope)
        return requestedScope === stored?.requestedScope ? stored : { ...stored, requestedScope }
      })
    },
  }
}
