import type { HttpServer } from '#servers/config/server-config'
import type { TokenSource } from '#servers/connection/connection'
import { RenewalFailed, SignInNeeded } from '#servers/connection/sign-in-needed'
import type { Challenge } from '#servers/protocol/challenge'
import type { Fetch } from './bounded-fetch.ts'
import { clientCredentials, isUnattended } from './client-credentials.ts'
import { type Credential, type Grant, keyOf, unionOf } from './credential.ts'
import { isSameIssuer } from './registered-client.ts'
import { OauthRefusal, renewTokens } from './token-requests.ts'
import type { TokenStore } from './token-store.ts'

export interface TokenKeeperOptions {
  server: HttpServer
  store: TokenStore
  /** A bounded fetch for the server's addresses. */
  fetch: Fetch
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

/** The tokens of one server and account, shared by all its connections. */
export class TokenKeeper implements TokenSource {
  readonly #options: TokenKeeperOptions
  readonly #key: ReturnType<typeof keyOf>
  #challenge: Challenge | undefined
  #renewal: Promise<void> | undefined
  /** A refreshed grant that could not be stored, and the token it was obtained with. */
  #unkept: { grant: Grant; spent: string } | undefined

  constructor(options: TokenKeeperOptions) {
    this.#options = options
    this.#key = keyOf(options.server)
  }

  /** The server's last challenge; a sign-in begins with it. */
  get challenge(): Challenge | undefined {
    return this.#challenge
  }

  async token(): Promise<string | undefined> {
    const tokens = (await this.#grant())?.tokens
    if (tokens === undefined) return undefined
    const { accessToken, refreshToken, expiresAt = Number.POSITIVE_INFINITY } = tokens
    const isRenewable = refreshToken !== undefined || isUnattended(this.#options.server)
    if (expiresAt > Date.now() + marginMs || !isRenewable) return accessToken
    // Without a valid token the server answers with the challenge that a sign-in needs.
    await this.#renewOnce(accessToken).catch((error: unknown) => {
      const mayStillDo = error instanceof RenewalFailed && expiresAt > Date.now()
      if (!mayStillDo && !(error instanceof SignInNeeded)) throw error
    })
    return (await this.#grant())?.tokens.accessToken
  }

  async renew(refused: string | undefined, received: Challenge): Promise<void> {
    this.#challenge = received
    const now = (await this.#grant())?.tokens.accessToken
    if (now === undefined && !isUnattended(this.#options.server))
      throw new SignInNeeded('no user is signed in')
    // The rejected token has been replaced since.
    if (now !== undefined && now !== refused) return
    await this.#renewOnce(now)
  }

  /** Adds a scope that the next sign-in in any process must request. */
  async want(scope: string): Promise<void> {
    await this.#options.store.change(this.#key, (current) => {
      const requestedScope = unionOf(current?.requestedScope, scope)
      return requestedScope === current?.requestedScope ? current : { ...current, requestedScope }
    })
  }

  async #grant(): Promise<Grant | undefined> {
    const { store, learn } = this.#options
    const credential = await store.read(this.#key)
    if (credential) learn(credential)
    // The one in memory is used while the store has the spent one.
    const isSpent = credential?.grant?.tokens.accessToken === this.#unkept?.spent
    return this.#unkept !== undefined && isSpent ? this.#unkept.grant : credential?.grant
  }

  /**
   * One refresh for all waiting requests. It is not cancelled with them: it spends the old token.
   */
  #renewOnce(refused: string | undefined): Promise<void> {
    this.#renewal ??= this.#renew(refused).finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #renew(refused: string | undefined): Promise<void> {
    const { server, store, learn, fetch } = this.#options
    let need: SignInNeeded | undefined
    let obtained: Grant | undefined
    const change = store.change(this.#key, async (credential) => {
      // Another process has refreshed it already.
      const accessToken = credential?.grant?.tokens.accessToken
      const mine = this.#unkept?.spent === accessToken ? this.#unkept?.grant : undefined
      const current = mine ?? credential?.grant
      if (current?.tokens.accessToken !== refused) return credential
      try {
        obtained = isUnattended(server)
          ? await clientCredentials(server, { challenge: this.#challenge ?? {}, credential, fetch })
          : current && { ...current, tokens: await renewed(current, server, fetch) }
        if (obtained === undefined) return credential
        if (accessToken !== undefined) this.#unkept = { grant: obtained, spent: accessToken }
        const next = { ...credential, grant: obtained }
        learn(next)
        return next
      } catch (error) {
        if (!(error instanceof SignInNeeded)) throw error
        need = error
        // An unknown client cannot sign in either: it must register again.
        const isForgotten = error.cause instanceof OauthRefusal && isOfClient(error.cause)
        return { ...credential, grant: undefined, ...(isForgotten && { registration: undefined }) }
      }
    })
    const credential = await change.catch((error: Error) => {
      if (obtained !== undefined) return { grant: obtained }
      const why = `its token could not be refreshed: ${error.message}`
      throw new RenewalFailed(why, { cause: error })
    })
    if (need !== undefined) throw need
    if (credential?.grant === undefined) throw new SignInNeeded('no user is signed in')
  }
}

async function renewed(granted: Grant, server: HttpServer, fetch: Fetch): Promise<Grant['tokens']> {
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
