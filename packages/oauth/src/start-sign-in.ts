import { serverError } from '#scan/server-text'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { Remedies } from '#servers/protocol/remedies'
import { qualifiedName } from '#servers/protocol/server-account'
import { withResolvers } from '#servers/protocol/with-resolvers'
import type { Fetch } from './bounded-fetch.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { signIn } from './sign-in.ts'
import type { RunningSignIn, SignInEntries, SignInEntry } from './sign-in-entries.ts'
import type { SignInsOptions } from './sign-ins-options.ts'

/** What all sign-ins of this process share. */
export interface SignInContext {
  options: SignInsOptions
  entries: SignInEntries
  secrets: KnownSecrets
  /** Cancels all sign-ins. */
  closing: AbortSignal
  onLog: (text: string) => void
  /** A bounded fetch for the addresses of a server. */
  fetchFor: (server: SignInEntry['server']) => Fetch
  signInRemedy: Remedies['signIn']
}

interface StartOptions {
  signal?: AbortSignal | undefined
  /** Open the browser. Default true. */
  isShown?: boolean
}

/** Starts a sign-in, unless one is in progress for the entry. */
export function startSignIn(
  entry: SignInEntry,
  context: SignInContext,
  { signal, isShown = true }: StartOptions = {},
): RunningSignIn {
  if (entry.running !== undefined) return entry.running
  const { closing, secrets, fetchFor, options } = context
  const opened = withResolvers<string>()
  const done = signIn(entry.server, {
    ...options,
    challenge: entry.keeper.challenge,
    learn: secrets.learn,
    signal: AbortSignal.any(signal ? [signal, closing] : [closing]),
    fetch: fetchFor(entry.server),
    onUrl: (url) => {
      opened.resolve(url)
      if (isShown) void openBrowser(url, context)
    },
  })
  const url = Promise.race([opened.promise, done.then(() => opened.promise)])
  // Callers may await only one of the two promises.
  url.catch(() => {})
  entry.running = { url, done }
  done.then(
    () => succeeded(entry, context),
    (error: Error) => failed(entry, error, context),
  )
  return entry.running
}

function succeeded(entry: SignInEntry, { entries, onLog }: SignInContext): void {
  entry.running = undefined
  entry.failure = undefined
  entry.endedAt = performance.now()
  onLog(`${qualifiedName(entry.server)}: signed in.`)
  entries.signedIn(entry)
}

function failed(entry: SignInEntry, error: Error, { secrets, onLog }: SignInContext): void {
  entry.running = undefined
  if (isInProgress(error)) return
  const reason = secrets.redact(error.message)
  entry.failure = { at: performance.now(), reason: `failed: ${serverError(reason)}` }
  onLog(`${qualifiedName(entry.server)}: The sign-in failed: ${reason}.`)
}

async function openBrowser(url: string, { options, onLog }: SignInContext): Promise<void> {
  try {
    await options.openBrowser(url)
  } catch (error) {
    onLog(`No browser could be opened: ${(error as Error).message}.`)
  }
}

/** True if another process is running this sign-in. */
export const isInProgress = (error: unknown): error is AggregatorError =>
  error instanceof AggregatorError && error.code === 'needs_sign_in'
