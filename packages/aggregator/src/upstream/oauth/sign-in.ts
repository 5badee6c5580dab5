import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Resolve } from '@pith-mcp/ssrf-guard'
import type { HttpServer } from '../../config/server-config.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { unitName } from '../../protocol/unit.ts'
import type { Challenge } from '../connection/connection.ts'
import { createBoundedFetch, type Fetch, safeAddress, serverKindOf } from './bounded-fetch.ts'
import { listenForCallback } from './callback-listener.ts'
import { type Credential, type Discovery, keyOf, unionOf } from './credential.ts'
import type { Protocol } from './protocol.ts'
import { boundIssuer, registeredClient, wantedPort } from './registered-client.ts'
import { OauthRefusal, redeemCode } from './token-requests.ts'
import type { TokenStore } from './token-store.ts'

export interface SignInOptions {
  server: HttpServer
  store: TokenStore
  protocol: Protocol
  /** Undefined where the server has not been asked yet. */
  challenge: Challenge | undefined
  /** Told once where the user signs in. */
  onUrl(url: string): void
  learn(credential: Credential, ...secrets: string[]): void
  signal: AbortSignal
  fetch?: Fetch | undefined
  resolve?: Resolve | undefined
  timeoutMs?: number | undefined
  /** For one request to an authorization server. */
  requestMs?: number | undefined
}

const longestMs = 5 * 60_000

/**
 * One sign-in from the beginning to tokens in the store. Nothing is left behind when it fails.
 * @throws with the reason
 */
export async function signIn(options: SignInOptions): Promise<void> {
  const { server, store, timeoutMs = longestMs } = options
  const { claim, ...other } = await store.claimSignIn(keyOf(server))
  if (claim === undefined)
    throw underWay(server, 'elsewhere' in other ? other.elsewhere : undefined)
  const over = new AbortController()
  const timer = setTimeout(
    () => over.abort(new Error(`nobody signed in within ${timeoutMs / 60_000} min`)),
    timeoutMs,
  )
  const signal = AbortSignal.any([options.signal, over.signal])
  try {
    await converse({
      ...options,
      signal,
      onUrl(url) {
        claim.tell(url)
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

async function converse(options: SignInOptions): Promise<void> {
  const { server, store, protocol, learn, signal } = options
  const key = keyOf(server)
  const bounded = createBoundedFetch({
    serverUrl: server.url,
    fetch: options.fetch,
    resolve: options.resolve,
    timeoutMs: options.requestMs,
  })
  const fetch: Fetch = (url, init) => bounded(url, { ...init, signal })
  const kept = await store.read(key)
  const state = randomBytes(32).toString('hex')
  let come = (_callback: Callback): void => {}
  const callback = new Promise<Callback>((resolve) => {
    come = resolve
  })
  const listener = await listen(server, kept, async (params) => {
    if (!isSame(params.get('state') ?? '', state)) return stranger
    const done = new Promise<boolean>((resolve) => come({ params, done: resolve }))
    return (await done) ? success : failure
  })
  try {
    const { redirectUrl } = listener
    const challenge = options.challenge ?? (await protocol.challengeOf(server, signal))
    const discovery = await protocol.discover(server.url, challenge, fetch)
    checkPkce(discovery)
    const issuer = boundIssuer(server, discovery, kept)
    if (issuer !== kept?.issuer) await store.change(key, (now) => ({ ...now, issuer }))
    const scope = scopeFor(server, challenge, discovery, kept)
    const known = { protocol, discovery, redirectUrl, scope, fetch }
    const { client, registration } = await registeredClient(server, kept?.registration, known)
    if (registration && registration !== kept?.registration)
      await store.change(key, (now) => ({ ...now, registration }))
    const asked = { redirectUrl, scope, state }
    const { url, verifier } = await protocol.authorize(discovery, client, asked)
    learn({}, verifier, ...(client.client_secret === undefined ? [] : [client.client_secret]))
    options.onUrl(safeAddress(url, await serverKindOf(server.url, options.resolve)()).href)
    const { params, done } = await untilCome(callback, signal, registration && (() => forget()))
    try {
      const code = codeIn(params, discovery, protocol)
      learn({}, code)
      const given = { code, verifier, redirectUrl, scope }
      const tokens = await redeemCode({ discovery, client, fetch }, given).catch(onRefusal)
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

    async function forget(): Promise<void> {
      if (registration === kept?.registration) await forgetClient(store, key, client.client_id)
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
  /** The browser is told how it ended. */
  done: (isSignedIn: boolean) => void
}

const success = { status: 200, text: 'You are signed in. You can close this window.' }
const failure = { status: 400, text: 'The sign-in failed. You can close this window.' }
const stranger = { status: 400, text: 'This is not the sign-in that was begun.' }

async function listen(
  server: HttpServer,
  kept: Credential | undefined,
  arrive: Parameters<typeof listenForCallback>[1],
) {
  const port = wantedPort(server, kept)
  try {
    return await listenForCallback(port, arrive)
  } catch (error) {
    if (server.oauth?.port !== undefined || port === 0)
      throw new Error(`port ${port} of this machine cannot be used: ${(error as Error).message}`)
    // That of an earlier registration is taken; another port needs another one.
    return listenForCallback(0, arrive)
  }
}

/**
 * A browser that shows an error of the authorization server never comes back: it may have forgotten
 * a client that was registered earlier.
 */
async function untilCome(
  callback: Promise<Callback>,
  signal: AbortSignal,
  forget: (() => Promise<void>) | undefined,
): Promise<Callback> {
  let onAbort = (): void => {}
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  const come = await Promise.race([callback, aborted])
  signal.removeEventListener('abort', onAbort)
  if (come !== undefined) return come
  await forget?.()
  throw signal.reason
}

/** @throws with what the authorization server said, if it was that one */
function codeIn(params: URLSearchParams, discovery: Discovery, protocol: Protocol): string {
  protocol.checkIssuer(discovery, params.get('iss') ?? undefined)
  const error = params.get('error')
  if (error !== null) throw new OauthRefusal(error.slice(0, 100), params.get('error_description'))
  const code = params.get('code')
  if (code === null || code === '') throw new Error('the browser came back without a code')
  return code
}

/** As configured, else what the server asks for; in any case what it asked for beyond that. */
function scopeFor(
  { oauth }: HttpServer,
  challenge: Challenge,
  { scopes, metadata }: Discovery,
  kept: Credential | undefined,
): string | undefined {
  const usual = oauth?.scope ?? challenge.scope ?? scopes?.join(' ')
  const offline = metadata.scopes_supported?.includes('offline_access') ? 'offline_access' : ''
  const own = oauth?.scope === undefined && usual ? unionOf(usual, offline) : usual
  if (kept?.wantedScope === undefined) return own || undefined
  return unionOf(own, kept.grant?.tokens.scope, kept.wantedScope)
}

/** @throws where it does not say that it checks proofs: a code that was stolen would do then */
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

const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Where another process began one. */
function underWay(
  server: HttpServer,
  elsewhere: { pid: number; url: string | undefined } | undefined,
): AggregatorError {
  const { pid, url } = elsewhere ?? { pid: 0, url: undefined }
  return new AggregatorError(
    'needs_sign_in',
    `A sign-in for ${unitName(server)} is under way in process ${pid}.`,
    url === undefined ? 'Try again in a moment.' : `Sign in at ${url}`,
  )
}
