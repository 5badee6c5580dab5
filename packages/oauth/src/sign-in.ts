import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { raceAbort } from '#base/race-abort'
import type { HttpServer } from '#servers/config/server-config'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { Challenge } from '#servers/protocol/challenge'
import { qualifiedName } from '#servers/protocol/server-account'
import { withResolvers } from '#servers/protocol/with-resolvers'
import { type Fetch, safeAddress, serverKindOf } from './bounded-fetch.ts'
import { type Arrive, type ListenForCallback, listenForCallback } from './callback-listener.ts'
import { type Credential, type Discovery, keyOf, unionOf } from './credential.ts'
import { boundIssuer, registeredClient, requestedPort } from './registered-client.ts'
import type { Protocol } from './sdk-protocol.ts'
import type { SignInsOptions } from './sign-ins-options.ts'
import { OauthRefusal, redeemCode } from './token-requests.ts'
import type { TokenStore } from './token-store.ts'

export interface SignInOptions
  extends Pick<SignInsOptions, 'store' | 'resolve' | 'timeoutMs' | 'callbacks' | 'listen'> {
  /** Undefined if the server has not sent a challenge yet. */
  challenge: Challenge | undefined
  /** Called once with the URL at which the user signs in. */
  onUrl(url: string): void
  learn(credential: Credential, ...secrets: string[]): void
  signal: AbortSignal
  /** A bounded fetch for the server's addresses. */
  fetch: Fetch
}

const maxAgeMs = 5 * 60_000

/**
 * Runs one sign-in until the tokens are stored. A failure leaves nothing behind.
 * @throws {Error} with the reason
 */
export async function signIn(server: HttpServer, options: SignInOptions): Promise<void> {
  const { store, timeoutMs = maxAgeMs } = options
  const claimed = await store.claimSignIn(keyOf(server))
  if ('elsewhere' in claimed) throw inProgress(server, claimed.elsewhere)
  const { claim } = claimed
  const over = new AbortController()
  const timer = setTimeout(
    () => over.abort(new Error(`no user signed in within ${timeoutMs / 60_000} min`)),
    timeoutMs,
  )
  const signal = AbortSignal.any([options.signal, over.signal])
  try {
    await converse(server, {
      ...options,
      signal,
      onUrl(url) {
        claim.log(url)
        options.onUrl(url)
      },
    })
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    claim.release()
  }
}

async function converse(server: HttpServer, options: SignInOptions): Promise<void> {
  const { store, learn, signal, callbacks } = options
  // The SDK's client is loaded with the first sign-in.
  const protocol = await import('./sdk-protocol.ts')
  const key = keyOf(server)
  const fetch: Fetch = (url, init) => options.fetch(url, { ...init, signal })
  const credential = await store.read(key)
  const random = randomBytes(32).toString('hex')
  const state = callbacks?.stateOf(random) ?? random
  const callback = withResolvers<Callback>()
  const open = callbacks?.listen ?? options.listen ?? listenForCallback
  const arrive: Arrive = async (params) => {
    if (!isSame(params.get('state') ?? '', state)) return stranger
    const { promise, resolve: done } = withResolvers<boolean>()
    callback.resolve({ params, done })
    return (await promise) ? success : failure
  }
  const listener = await listen(server, credential, (port) => open(port, arrive, state))
  try {
    const { redirectUrl } = listener
    const challenge = options.challenge ?? (await protocol.challengeOf(server, signal))
    const discovery = await protocol.discover(server.url, challenge, fetch)
    checkPkce(discovery)
    const issuer = boundIssuer(server, discovery, credential)
    if (issuer !== credential?.issuer) await store.change(key, (now) => ({ ...now, issuer }))
    const scope = scopeFor(server, challenge, discovery, credential)
    const clientId = callbacks?.clientId
    const input = { protocol, discovery, redirectUrl, scope, fetch, clientId }
    const { client, registration } = await registeredClient(server, credential?.registration, input)
    if (registration && registration !== credential?.registration)
      await store.change(key, (now) => ({ ...now, registration }))
    const authorizationRequest = { redirectUrl, scope, state }
    const { url, verifier } = await protocol.authorize(discovery, client, authorizationRequest)
    learn({}, verifier, ...(client.client_secret === undefined ? [] : [client.client_secret]))
    options.onUrl(safeAddress(url, await serverKindOf(server.url, options.resolve)()).href)
    const { params, done } = await raceAbort(callback.promise, signal).catch(
      async (error: unknown) => {
        // If the authorization server shows an error page, the browser is not redirected: the server
        // may have removed a client that was registered earlier. So the registration is forgotten.
        if (registration && registration === credential?.registration)
          await forgetClient(store, key, client.client_id)
        throw error
      },
    )
    try {
      const code = codeIn(params, discovery, protocol)
      learn({}, code)
      const codeGrant = { code, verifier, redirectUrl, scope }
      const tokens = await redeemCode({ discovery, client, fetch }, codeGrant).catch(onRefusal)
      const grant = { tokens, client, discovery, grantedAt: Date.now() }
      learn({ grant })
      await store.change(key, () => ({
        ...(registration && { registration }),
        ...(issuer !== undefined && { issuer }),
        grant,
      }))
      done(true)
    } catch (error) {
      done(false)
      throw error
    }

    async function onRefusal(error: unknown): Promise<never> {
      if (error instanceof OauthRefusal && error.code === 'invalid_client')
        await forgetClient(store, key, client.client_id)
      throw error
    }
  } finally {
    listener.close()
  }
}

interface Callback {
  params: URLSearchParams
  /** Called with the outcome, which the browser shows. */
  done: (isSignedIn: boolean) => void
}

const success = { status: 200, text: 'You are signed in. You can close this window.' }
const failure = { status: 400, text: 'The sign-in failed. You can close this window.' }
const stranger = { status: 400, text: 'This is not the sign-in that was started.' }

async function listen(
  server: HttpServer,
  credential: Credential | undefined,
  open: (port: number) => ReturnType<ListenForCallback>,
) {
  const port = requestedPort(server, credential)
  try {
    return await open(port)
  } catch (error) {
    if (server.oauth?.port !== undefined || port === 0)
      throw new Error(`port ${port} of this machine cannot be used: ${(error as Error).message}`)
    // The port of the earlier registration is in use; another port requires a new registration.
    return open(0)
  }
}

/** @throws {OauthRefusal} with the error of the authorization server */
function codeIn(params: URLSearchParams, discovery: Discovery, protocol: Protocol): string {
  protocol.checkIssuer(discovery, params.get('iss') ?? undefined)
  const error = params.get('error')
  if (error !== null) throw new OauthRefusal(error.slice(0, 100), params.get('error_description'))
  const code = params.get('code')
  if (code === null || code === '') throw new Error('the authorization response has no code')
  return code
}

/** The configured scope, or the one that the server requests, plus scopes it required later. */
function scopeFor(
  { oauth }: HttpServer,
  challenge: Challenge,
  { scopes, metadata }: Discovery,
  credential: Credential | undefined,
): string | undefined {
  const usual = oauth?.scope ?? challenge.scope ?? scopes?.join(' ')
  const offline = metadata.scopes_supported?.includes('offline_access') ? 'offline_access' : ''
  const scope = oauth?.scope === undefined && usual ? unionOf(usual, offline) : usual
  if (credential?.requestedScope === undefined) return scope || undefined
  return unionOf(scope, credential.grant?.tokens.scope, credential.requestedScope)
}

/** @throws {Error} if the server does not announce PKCE: a stolen code could be used then */
function checkPkce({ issuer, metadata }: Discovery): void {
  const methods: unknown = metadata['code_challenge_methods_supported']
  if (Array.isArray(methods) && methods.includes('S256')) return
  throw new Error(
    `its authorization server ${issuer} does not announce PKCE with S256 (code_challenge_methods_supported)`,
  )
}

const forgetClient = async (store: TokenStore, key: ReturnType<typeof keyOf>, id: string) =>
  store.change(key, (now) =>
    now?.registration?.client.client_id === id ? { ...now, registration: undefined } : now,
  )

const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The error if another process is running the sign-in. */
function inProgress(
  server: HttpServer,
  { pid, url }: { pid: number; url: string | undefined },
): AggregatorError {
  return new AggregatorError(
    'needs_sign_in',
    `Process ${pid} is already running a sign-in for ${qualifiedName(server)}.`,
    url === undefined ? 'Try again in a moment.' : `Sign in at ${url} and try again.`,
  )
}
