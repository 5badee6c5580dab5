import { unitName } from '../../protocol/unit.ts'
import type { Fetch } from './bounded-fetch.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { isInProgress, type RunningSignIn, startSignIn } from './running-sign-in.ts'
import { signIn } from './sign-in.ts'
import type { SignInEntries, SignInEntry } from './sign-in-entries.ts'
import type { SignInsOptions } from './sign-ins-options.ts'

interface SignInStarterOptions {
  options: SignInsOptions
  entries: SignInEntries
  secrets: KnownSecrets
  /** Cancels all sign-ins. */
  closing: AbortSignal
  onLog: (text: string) => void
  /** A bounded fetch for the addresses of a server. */
  fetchFor: (server: SignInEntry['server']) => Fetch
}

interface StartOptions {
  signal?: AbortSignal | undefined
  /** Open the browser. Default true. */
  isShown?: boolean
}

/** Starts sign-ins, one at a time for each entry. */
export class SignInStarter {
  readonly #given: SignInStarterOptions

  constructor(given: SignInStarterOptions) {
    this.#given = given
  }

  start(entry: SignInEntry, { signal, isShown = true }: StartOptions = {}): RunningSignIn {
    if (entry.running !== undefined) return entry.running
    const { options, closing, secrets, fetchFor } = this.#given
    const { store, resolve, timeoutMs } = options
    const running = startSignIn((onUrl) =>
      signIn(entry.server, {
        store,
        challenge: entry.keeper.challenge,
        learn: secrets.learn,
        signal: AbortSignal.any(signal ? [signal, closing] : [closing]),
        fetch: fetchFor(entry.server),
        resolve,
        timeoutMs,
        onUrl: (url) => {
          onUrl(url)
          if (isShown) void this.#openBrowser(url)
        },
      }),
    )
    entry.running = running
    running.done.then(
      () => this.#succeeded(entry),
      (error: Error) => this.#failed(entry, error),
    )
    return running
  }

  #succeeded(entry: SignInEntry): void {
    entry.running = undefined
    entry.failure = undefined
    entry.endedAt = performance.now()
    this.#given.onLog(`${unitName(entry.server)}: signed in.`)
    this.#given.entries.signedIn(entry)
  }

  #failed(entry: SignInEntry, error: Error): void {
    entry.running = undefined
    if (isInProgress(error)) return
    const reason = this.#given.secrets.redact(error.message)
    entry.failure = { at: performance.now(), reason: `failed: ${reason}` }
    this.#given.onLog(`${unitName(entry.server)}: The sign-in failed: ${reason}.`)
  }

  async #openBrowser(url: string): Promise<void> {
    const { options, onLog } = this.#given
    try {
      await options.openBrowser(url)
    } catch (error) {
      onLog(`No browser could be opened: ${(error as Error).message}.`)
    }
  }
}
