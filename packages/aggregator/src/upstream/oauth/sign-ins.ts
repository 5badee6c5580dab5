import type { Resolve } from '@pith-mcp/ssrf-guard'
import type { HttpServer, ServerConfig } from '../../config/server-config.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { unitName } from '../../protocol/unit.ts'
import type { SecretSources } from '../../secrets/secret-sources.ts'
import type { TokenSource } from '../connection/connection.ts'
import { NeedsSignIn } from '../connection/needs-sign-in.ts'
import { RenewalFailed, SignInNeeded } from '../connection/sign-in-needed.ts'
import { untilAborted } from '../connection/until-aborted.ts'
import { createBoundedFetch, type Fetch } from './bounded-fetch.ts'
import { type Grant, keyOf, nameOfKey } from './credential.ts'
import { createKnownSecrets } from './known-secrets.ts'
import { isUnderWay, type RunningSignIn, startSignIn } from './running-sign-in.ts'
import { signIn } from './sign-in.ts'
import { signableServer } from './signable-server.ts'
import { createTokenKeeper, type TokenKeeper } from './token-keeper.ts'
import { revokeTokens } from './token-requests.ts'
import type { TokenStore } from './token-store.ts'

export interface SignInsOptions {
  store: TokenStore
  /** Shows the page to sign in at. What it rejects with is logged, and ends nothing. */
  openBrowser: (url: string) => Promise<void> | void
  /** The first call of a tool that needs a sign-in begins it. Else it says how to. Default false. */
  interactive?: boolean | undefined
  onLog?: ((text: string) => void) | undefined
  /** Where references in the configuration are looked up. */
  secretSources?: SecretSources | undefined
  fetch?: Fetch | undefined
  /** How names of authorization servers are resolved; as the operating system does. */
  resolve?: Resolve | undefined
  /** For a user to sign in. Default 5 minutes. */
  timeoutMs?: number | undefined
  /** For one request to an authorization server. Default 15 s. */
  requestMs?: number | undefined
}

/** `expired`: signed in once, and in need of a new sign-in. */
export type SignInState = 'none' | 'signed in' | 'expired'

/** Sign-ins at servers behind OAuth, and what came of them. */
export interface SignIns {
  /**
   * Has a user sign in, whether it is needed or not. Resolves when the tokens are kept.
   * @throws with the reason; {AggregatorError} `needs_sign_in` says where, while another process does so
   */
  signIn(server: ServerConfig, signal?: AbortSignal): Promise<void>
  /** Begin one, unless one is under way. Resolves to where the user signs in; no browser is opened. */
  begin(server: ServerConfig): Promise<string>
  /** `revoked`: the authorization server knows of it. `forgotten`: it could not be told. */
  signOut(server: ServerConfig): Promise<'none' | 'forgotten' | 'revoked'>
  stateOf(server: ServerConfig): Promise<SignInState>
  /** Undefined for a server that is not signed in at. */
  tokensFor(server: ServerConfig): TokenSource | undefined
  /** Makes of an error of a conversation what a caller is told. */
  explain(server: ServerConfig, error: unknown): Promise<unknown>
  /** Told of all secrets there are and will be, before they are used. Gives back how to end that. */
  onSecrets(listener: (values: string[]) => void): () => void
  /** Told when a server that needed a sign-in needs it no more, whichever process it was done in. */
  onSignedIn(listener: (unit: string) => void): () => void
  /** Ends sign-ins that are under way. */
  close(): void
}

interface Entry {
  server: HttpServer
  keeper: TokenKeeper
  running?: RunningSignIn | undefined
  failure?: { at: number; said: string } | undefined
  /** Why the last one was begun by itself. */
  reason?: string | undefined
  /** When the last one went well. */
  endedAt?: number | undefined
  /** How often someone signed in since it was first needed. */
  signIns: number
  watch?: NodeJS.Timeout | undefined
}

/** A caller is told how it began, not that it goes on. */
const urlMs = 10_000
/** After a sign-in that failed, calls do not begin one after the other. */
const quietMs = 30_000
const watchMs = 1_000

export function createSignIns(options: SignInsOptions): SignIns {
  const { store, interactive = false, secretSources = {} } = options
  const entries = new Map<string, Entry>()
  const secrets = createKnownSecrets()
  const { learn } = secrets
  const signedIn = new Set<(unit: string) => void>()
  const closing = new AbortController()
  const onLog = (text: string): void => options.onLog?.(secrets.hide(text))

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
        if (isUnderWay(error)) return
        const said = secrets.hide(error.message)
        entry.failure = { at: performance.now(), said: `failed: ${said}` }
        onLog(`${unit}: the sign-in failed: ${said}`)
      },
    )
    return running
  }

  async function openBrowser(url: string): Promise<void> {
    try {
      await options.openBrowser(url)
    } catch (error) {
      onLog(`No browser could be opened: ${(error as Error).message}`)
    }
  }

  function noteSignIn(entry: Entry): void {
    clearInterval(entry.watch)
    entry.watch = undefined
    entry.signIns++
    for (const listener of signedIn) listener(unitName(entry.server))
  }

  /** It may be done in another process. Resolves to whether it was done since. */
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
  ): Promise<{ remedy: string; trouble?: string }> {
    const run = `Run: aggregator-mcp login ${unitName(entry.server)}`
    if (!interactive || closing.signal.aborted) return { remedy: `${run} — then call again.` }
    // A server that asks for the same again would have one tab opened after the other.
    if (entry.reason === reason && entry.endedAt !== undefined)
      entry.failure ??= { at: entry.endedAt, said: 'did not help' }
    const { failure, running } = entry
    const wait = failure === undefined ? 0 : failure.at + quietMs - performance.now()
    if (failure !== undefined && wait > 0 && running === undefined) {
      const trouble = `The last sign-in ${failure.said}.`
      return { trouble, remedy: `${run} — or call again in ${Math.ceil(wait / 1_000)} s.` }
    }
    if (running === undefined) entry.reason = reason
    const late = AbortSignal.timeout(urlMs)
    try {
      const url = await untilAborted((running ?? start(entry)).url, late)
      return { remedy: `Sign in at ${url} — it was opened in a browser. Then call again.` }
    } catch (error) {
      if (isUnderWay(error))
        return { trouble: error.message, remedy: `${error.remedy} — then call again.` }
      if (late.aborted) return { remedy: 'A sign-in was begun: call again to learn where it is.' }
      const said = secrets.hide((error as Error).message)
      return { trouble: `A sign-in could not be begun: ${said}.`, remedy: run }
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
      await untilAborted(running.done, signal)
    },
    async begin(server) {
      const entry = entryOf(await resolved(server, closing.signal))
      return untilAborted(start(entry, undefined, false).url, AbortSignal.timeout(urlMs))
    },
    async signOut(server) {
      const own = await resolved(server, closing.signal)
      const key = keyOf(own)
      let grant: Grant | undefined
      try {
        await store.change(key, (kept) => {
          grant = kept?.grant
          const { registration, issuer } = kept ?? {}
          const isEmpty = registration === undefined && issuer === undefined
          return isEmpty ? undefined : { registration, issuer }
        })
      } catch (error) {
        onLog(`What is kept for ${unitName(own)} is removed unread: ${(error as Error).message}`)
        await store.remove(key)
      }
      entryOf(own).reason = undefined
      if (grant === undefined) return 'none'
      learn({ grant })
      const { fetch, resolve, requestMs: timeoutMs } = options
      const bounded = createBoundedFetch({ serverUrl: own.url, fetch, resolve, timeoutMs })
      const revoked = await revokeTokens(grant, bounded).catch((error: Error) => {
        onLog(`${unitName(own)}: the tokens were not revoked: ${error.message}`)
        return false
      })
      return revoked ? 'revoked' : 'forgotten'
    },
    async stateOf(server) {
      const kept = await store.read(keyOf(await resolved(server, closing.signal)))
      if (kept?.grant === undefined) return 'none'
      const { refreshToken, expiresAt = Number.POSITIVE_INFINITY } = kept.grant.tokens
      return refreshToken === undefined && expiresAt < Date.now() ? 'expired' : 'signed in'
    },
    tokensFor(server) {
      if (server.type === 'stdio') return undefined
      // Whoever configured a token wants it used.
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
          `${who} cannot be used for now: ${secrets.hide(error.message)}.`,
          `It is tried again at the next call. If that lasts: aggregator-mcp login ${unitName(server)}`,
          error,
        )
      if (!(error instanceof SignInNeeded)) return error
      const entry = entryOf(server)
      const { signIns } = entry
      const isLate = await watch(entry, error.at)
      const message = `${who} needs a sign-in: ${secrets.hide(error.message)}.`
      if (isLate)
        return new NeedsSignIn(message, 'Someone has signed in since: call again.', {
          isOver: () => true,
          cause: error,
        })
      if (error.scope !== undefined) await entry.keeper.want(error.scope)
      const isOver = (): boolean => entry.signIns > signIns
      const begin = async (): Promise<AggregatorError> => {
        const { remedy, trouble } = await remedyFor(entry, error.message)
        const said = trouble ? `${message} ${trouble}` : message
        return new AggregatorError('needs_sign_in', said, remedy, error)
      }
      const remedy = `Run: aggregator-mcp login ${unitName(server)} — then call again.`
      return new NeedsSignIn(message, remedy, { isOver, begin, cause: error })
    },
    onSecrets: secrets.listen,
    onSignedIn(listener) {
      signedIn.add(listener)
      return () => void signedIn.delete(listener)
    },
    close() {
      closing.abort(new Error('it was ended'))
      for (const { watch } of entries.values()) clearInterval(watch)
    },
  }
}
