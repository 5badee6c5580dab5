import type { Resolve } from '@pith-mcp/ssrf-guard'
import type { HttpServer } from '../../config/server-config.ts'
import type { Challenge, TokenSource } from '../connection/connection.ts'
import { RenewalFailed, SignInNeeded } from '../connection/sign-in-needed.ts'
import { createBoundedFetch, type Fetch } from './bounded-fetch.ts'
import { type Credential, type Grant, keyOf, unionOf } from './credential.ts'
import { isSameIssuer } from './registered-client.ts'
import { OauthRefusal, renewTokens } from './token-requests.ts'
import type { TokenStore } from './token-store.ts'

/** The tokens of one server and account, for all conversations with it. */
export interface TokenKeeper extends TokenSource {
  /** What the server said last; a sign-in begins there. */
  readonly challenge: Challenge | undefined
  /** A sign-in has to ask for this too, in whichever process it is. */
  want(scope: string): Promise<void>
}

export interface TokenKeeperOptions {
  server: HttpServer
  store: TokenStore
  fetch?: Fetch | undefined
  resolve?: Resolve | undefined
  timeoutMs?: number | undefined
  /** Told of every secret before it is used. */
  learn(credential: Credential): void
}

/** A token that ends on its way is as good as ended. */
const marginMs = 5_000

/** Refusals that no new try changes. */
const isFinal = ({ code }: OauthRefusal): boolean =>
  ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(code)

/** Of these the authorization server knows the client no more. */
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
    const kept = await store.read(key)
    if (kept) learn(kept)
    // What could not be kept is used here; the store has what was spent for it.
    if (unkept !== undefined && kept?.grant?.tokens.accessToken === unkept.spent)
      return unkept.grant
    return kept?.grant
  }

  /** One for all who wait, and by no means given up when they are: the old token is spent by it. */
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
    const change = store.change(key, async (kept) => {
      // Another process was faster.
      const known = kept?.grant?.tokens.accessToken
      const mine = unkept?.spent === known ? unkept?.grant : undefined
      const current = mine ?? kept?.grant
      if (current?.tokens.accessToken !== refused) return kept
      try {
        const tokens = await renewed(current)
        obtained = { ...current, tokens }
        if (known !== undefined) unkept = { grant: obtained, spent: known }
        const next = { ...kept, grant: obtained }
        learn(next)
        return next
      } catch (error) {
        if (!(error instanceof SignInNeeded)) throw error
        isForgotten = error.cause instanceof OauthRefusal && isOfClient(error.cause)
        need = error
        // A client that is known no more cannot sign in either: it is registered anew.
        return { ...kept, grant: undefined, ...(isForgotten && { registration: undefined }) }
      }
    })
    const kept = await change.catch((error: Error) => {
      if (obtained !== undefined) return { grant: obtained }
      const why = `its token could not be renewed: ${error.message}`
      throw new RenewalFailed(why, { cause: error })
    })
    if (need !== undefined) throw need
    if (kept?.grant === undefined) throw new SignInNeeded('nobody is signed in')
  }

  async function renewed(granted: Grant): Promise<Grant['tokens']> {
    if (granted.tokens.refreshToken === undefined) throw new SignInNeeded('the sign-in has ended')
    const { issuer } = server.oauth ?? {}
    if (issuer !== undefined && !isSameIssuer(issuer, granted.discovery.issuer))
      throw new SignInNeeded('it was signed in at another authorization server than is configured')
    try {
      return await renewTokens(granted, fetch)
    } catch (error) {
      if (!(error instanceof OauthRefusal && isFinal(error))) throw error
      throw new SignInNeeded(`the sign-in has ended (${error.message})`, undefined, error)
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
      // What then is missing the server says itself, with all it takes to sign in.
      await renewOnce(accessToken).catch((error: unknown) => {
        const mayStillDo = error instanceof RenewalFailed && expiresAt > Date.now()
        if (!mayStillDo && !(error instanceof SignInNeeded)) throw error
      })
      return (await grant())?.tokens.accessToken
    },
    async renew(refused, said) {
      challenge = said
      const now = (await grant())?.tokens.accessToken
      if (now === undefined) throw new SignInNeeded('nobody is signed in')
      // What was refused was sent before the newest came.
      if (now !== refused) return
      await renewOnce(now)
    },
    async want(scope) {
      await store.change(key, (kept) => {
        const wantedScope = unionOf(kept?.wantedScope, scope)
        return wantedScope === kept?.wantedScope ? kept : { ...kept, wantedScope }
      })
    },
  }
}
