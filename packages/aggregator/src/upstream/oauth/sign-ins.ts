import type { Resolve } from '@pith-mcp/ssrf-guard'
import type { HttpServer, ServerConfig } from '../../config/server-config.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { raceAbort } from '../../protocol/race-abort.ts'
import { defaultRemedies, type Remedies } from '../../protocol/remedies.ts'
import { unitName } from '../../protocol/unit.ts'
import type { SecretSources } from '../../secrets/secret-sources.ts'
import type { TokenSource } from '../connection/connection.ts'
import { NeedsSignIn } from '../connection/needs-sign-in.ts'
import { RenewalFailed, SignInNeeded } from '../connection/sign-in-needed.ts'
import { createBoundedFetch, type Fetch } from './bounded-fetch.ts'
import { type Grant, keyOf, nameOfKey } from './credential.ts'
import { createKnownSecrets } from './known-secrets.ts'
import { isInProgress, type RunningSignIn, startSignIn } from './running-sign-in.ts'
import { signIn } from './sign-in.ts'
import { signableServer } from './signable-server.ts'
import { createTokenKeeper, type TokenKeeper } from './token-keeper.ts'
import { revokeTokens } from './token-requests.ts'
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
  /** Time in which a user must sign in. Default 5 minutes. */
  timeoutMs?: number | undefined
  /** Timeout of one request to an authorization server. Default 15 s. */
  requestMs?: number | undefined
}

/** `expired`: a user signed in once and must sign in again. */
export type SignInState = 'none' | 'signed in' | 'expired'

/** Sign-ins to servers with OAuth, and their tokens. */
export interface SignIns {
  /**
   * Runs a sign-in, even if there is a valid token. Resolves when the tokens are stored.
   * @throws {Error} with the reason
   * @throws {AggregatorError} `needs_sign_in` with the URL if another process is running a sign-in
   */
  signIn(server: ServerConfig, signal?: AbortSignal): Promise<void>
  /** Begins a sign-in unless one is in progress. Resolves to its URL and opens no browser. */
  begin(server: ServerConfig): Promise<string>
  /**
   * `revoked`: the authorization server revoked the tokens. `forgotten`: they were only deleted
   * here.
   */
  signOut(server: ServerConfig): Promise<'none' | 'forgotten' | 'revoked'>
  stateOf(server: ServerConfig): Promise<SignInState>
  /** Undefined for a server without OAuth. */
  tokensFor(server: ServerConfig): TokenSource | undefined
  /** Converts an error of a connection into the error for the caller. */
  explain(server: ServerConfig, error: unknown): Promise<unknown>
  /**
   * Calls `listener` with all known secrets, and with new ones before they are used. Returns a
   * function that unsubscribes.
   */
  onSecrets(listener: (values: string[]) => void): () => void
  /** Calls `listener` with the unit when a needed sign-in is done, in any process. */
  onSignedIn(listener: (unit: string) => void): () => void
  /** Cancels sign-ins in progress. */
  close(): void
}

interface Entry {
  server: HttpServer
  keeper: TokenKeeper
  running?: RunningSignIn | undefined
  failure?: { at: number; reason: string } | undefined
  /** Why a call began the last one. */
  reason?: string | undefined
  /** When the last one succeeded. */
  endedAt?: number | undefined
  /** Sign-ins since one was first needed. */
  signIns: number
  watch?: NodeJS.Timeout | undefined
}

/** A caller waits for the URL only, not for the user. */
const urlMs = 10_000
/** After a failed sign-in, calls begin no other for this long. */
const quietMs = 30_000
const watchMs = 1_000

/** Signs in to servers over HTTP by OAuth 2.1 with PKCE, renews tokens, and revokes them. */
export function createSignIns(options: SignInsOptions): SignIns {
  const { store, interactive = false, secretSources = {} } = options
  const remedies = { ...defaultRemedies, ...options.remedies }
  const entries = new Map<string, Entry>()
  const secrets = createKnownSecrets()
  const { learn } = secrets
  const signedIn = new Set<(unit: string) => void>()
  const closing = new AbortController()
  const onLog = (text: string): void => options.onLog?.(secrets.redact(text))

  function entryOf(server: HttpServer): Entry {
    const name = nameOfKey(keyOf(server))
    let entry = entries.get(name)
    if (entry === undefined) {
      const { fetch, resolve, requestMs: timeoutMs } = options
      const keeper = createTokenKeeper({ server, store, fetch, resolve, timeoutMs, learn })
      entry = { server, keeper, signIns: 0 }
      entries.set(name, entry)
    }
    entry.server = server
    return entry
  }

  function start(entry: Entry, signal?: AbortSignal, isShown = true): RunningSignIn {
    if (entry.running !== undefined) return entry.running
    const running = startSignIn(async (onUrl) => {
      const { protocol } = await import('./sdk-protocol.ts')
      const signals = signal ? [signal, closing.signal] : [closing.signal]
      await signIn({
        server: entry.server,
        store,
        protocol,
        challenge: entry.keeper.challenge,
        learn,
        signal: AbortSignal.any(signals),
        fetch: options.fetch,
        resolve: options.resolve,
        timeoutMs: options.timeoutMs,
        requestMs: options.requestMs,
        onUrl(url) {
          onUrl(url)
          if (isShown) void openBrowser(url)
        },
      })
    })
    entry.running = running
    const unit = unitName(entry.server)
    running.done.then(
      () => {
        entry.running = undefined
        entry.failure = undefined
        entry.endedAt = performance.now()
        onLog(`${unit}: signed in.`)
        noteSignIn(entry)
      },
      (error: Error) => {
        entry.running = undefined
        if (isInProgress(error)) return
        const reason = secrets.redact(error.message)
        entry.failure = { at: performance.now(), reason: `failed: ${reason}` }
        onLog(`${unit}: The sign-in failed: ${reason}.`)
      },
    )
    return running
  }

  async function openBrowser(url: string): Promise<void> {
    try {
      await options.openBrowser(url)
    } catch (error) {
      onLog(`No browser could be opened: ${(error as Error).message}.`)
    }
  }

  function noteSignIn(entry: Entry): void {
    clearInterval(entry.watch)
    entry.watch = undefined
    entry.signIns++
    for (const listener of signedIn) listener(unitName(entry.server))
  }

  /** The sign-in may be done in another process. Resolves to true if it was done after `since`. */
  async function watch(entry: Entry, since: number): Promise<boolean> {
    const key = keyOf(entry.server)
    const grantedAt = async () => (await store.read(key))?.grant?.grantedAt
    const before = await grantedAt()
    if (before !== undefined && before > since) return true
    if (entry.watch !== undefined || closing.signal.aborted) return false
    const watching = setInterval(() => void look().catch(() => {}), watchMs)
    const look = async (): Promise<void> => {
      const now = await grantedAt()
      if (now !== undefined && now !== before && entry.watch === watching) noteSignIn(entry)
    }
    entry.watch = watching.unref()
    return false
  }

  async function remedyFor(
    entry: Entry,
    reason: string,
  ): Promise<{ remedy: string; problem?: string }> {
    const signIn = remedies.signIn(unitName(entry.server))
    if (!interactive || closing.signal.aborted) return { remedy: `${signIn} Then call again.` }
    // Without this, a server that repeats its challenge would cause a browser tab per call.
    if (entry.reason === reason && entry.endedAt !== undefined)
      entry.failure ??= { at: entry.endedAt, reason: 'did not help' }
    const { failure, running } = entry
    const wait = failure === undefined ? 0 : failure.at + quietMs - performance.now()
    if (failure !== undefined && wait > 0 && running === undefined) {
      const problem = `The last sign-in ${failure.reason}.`
      return { problem, remedy: `${signIn} Or call again in ${Math.ceil(wait / 1_000)} s.` }
    }
    if (running === undefined) entry.reason = reason
    const late = AbortSignal.timeout(urlMs)
    try {
      const url = await raceAbort((running ?? start(entry)).url, late)
      return { remedy: `Sign in at ${url} (opened in a browser). Then call again.` }
    } catch (error) {
      if (isInProgress(error)) return { problem: error.message, remedy: error.remedy }
      if (late.aborted) return { remedy: 'A sign-in was started: call again to get its URL.' }
      const reason = secrets.redact((error as Error).message)
      return { problem: `A sign-in could not be started: ${reason}.`, remedy: signIn }
    }
  }

  async function resolved(server: ServerConfig, signal: AbortSignal): Promise<HttpServer> {
    const found = await signableServer(server, secretSources, signal)
    learn({}, ...found.values)
    return found.server
  }

  return {
    async signIn(server, signal = closing.signal) {
      const running = start(entryOf(await resolved(server, signal)), signal)
      await raceAbort(running.done, signal)
    },
    async begin(server) {
      const entry = entryOf(await resolved(server, closing.signal))
      return raceAbort(start(entry, undefined, false).url, AbortSignal.timeout(urlMs))
    },
    async signOut(server) {
      const own = await resolved(server, closing.signal)
      const key = keyOf(own)
      let grant: Grant | undefined
      try {
        await store.change(key, (stored) => {
          grant = stored?.grant
          const { registration, issuer } = stored ?? {}
          const isEmpty = registration === undefined && issuer === undefined
          return isEmpty ? undefined : { registration, issuer }
        })
      } catch (error) {
        onLog(
          `The stored credential of ${unitName(own)} cannot be read and is removed: ${(error as Error).message}.`,
        )
        await store.remove(key)
      }
      entryOf(own).reason = undefined
      if (grant === undefined) return 'none'
      learn({ grant })
      const { fetch, resolve, requestMs: timeoutMs } = options
      const bounded = createBoundedFetch({ serverUrl: own.url, fetch, resolve, timeoutMs })
      const revoked = await revokeTokens(grant, bounded).catch((error: Error) => {
        onLog(`${unitName(own)}: The tokens were not revoked: ${error.message}.`)
        return false
      })
      return revoked ? 'revoked' : 'forgotten'
    },
    async stateOf(server) {
      const stored = await store.read(keyOf(await resolved(server, closing.signal)))
      if (stored?.grant === undefined) return 'none'
      const { refreshToken, expiresAt = Number.POSITIVE_INFINITY } = stored.grant.tokens
      return refreshToken === undefined && expiresAt < Date.now() ? 'expired' : 'signed in'
    },
    tokensFor(server) {
      if (server.type === 'stdio') return undefined
      // A configured token takes precedence.
      const names = Object.keys(server.headers).map((name) => name.toLowerCase())
      if (names.includes('authorization') && server.oauth === undefined) return undefined
      return entryOf(server).keeper
    },
    async explain(server, error) {
      if (server.type === 'stdio') return error
      const who = `The server ${server.name}${server.account === undefined ? '' : `, account ${server.account},`}`
      if (error instanceof RenewalFailed)
        return new AggregatorError(
          'upstream_down',
          `${who} cannot be used for now: ${secrets.redact(error.message)}.`,
          `The next call tries again. If the error persists: ${remedies.signIn(unitName(server))}`,
          error,
        )
      if (!(error instanceof SignInNeeded)) return error
      const entry = entryOf(server)
      const { signIns } = entry
      const isLate = await watch(entry, error.at)
      const message = `${who} needs a sign-in: ${secrets.redact(error.message)}.`
      if (isLate)
        return new NeedsSignIn(message, 'A user has signed in since: call again.', {
          isOver: () => true,
          cause: error,
        })
      if (error.scope !== undefined) await entry.keeper.want(error.scope)
      const isOver = (): boolean => entry.signIns > signIns
      const begin = async (): Promise<AggregatorError> => {
        const { remedy, problem } = await remedyFor(entry, error.message)
        const reason = problem ? `${message} ${problem}` : message
        return new AggregatorError('needs_sign_in', reason, remedy, error)
      }
      const remedy = `${remedies.signIn(unitName(server))} Then call again.`
      return new NeedsSignIn(message, remedy, { isOver, begin, cause: error })
    },
    onSecrets: secrets.listen,
    onSignedIn(listener) {
      signedIn.add(listener)
      return () => void signedIn.delete(listener)
    },
    close() {
      closing.abort(new Error('it was cancelled'))
      for (const { watch } of entries.values()) clearInterval(watch)
    },
  }
}
