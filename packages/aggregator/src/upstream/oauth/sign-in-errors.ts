import type { ServerConfig } from '../../config/server-config.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { raceAbort } from '../../protocol/race-abort.ts'
import type { Remedies } from '../../protocol/remedies.ts'
import { unitName } from '../../protocol/unit.ts'
import { forModel } from '../../scan/server-text.ts'
import { NeedsSignIn } from '../connection/needs-sign-in.ts'
import { RenewalFailed, SignInNeeded } from '../connection/sign-in-needed.ts'
import { isInProgress } from './running-sign-in.ts'
import type { SignInEntries, SignInEntry } from './sign-in-entries.ts'
import type { SignInStarter } from './sign-in-starter.ts'

/** A caller waits for the URL only, not for the user. */
export const urlMs = 10_000
/** After a failed sign-in, calls begin no other for this long. */
const quietMs = 30_000

interface SignInErrorsOptions {
  entries: SignInEntries
  starter: SignInStarter
  signInRemedy: Remedies['signIn']
  /** Replaces secrets in a text. */
  redact: (text: string) => string
  /** True if the first call may begin a sign-in. */
  mayBegin: () => boolean
}

/** Errors for callers of a server that needs a sign-in. */
export class SignInErrors {
  readonly #given: SignInErrorsOptions

  constructor(given: SignInErrorsOptions) {
    this.#given = given
  }

  /** Converts an error of a connection into the error for the caller. */
  async explain(server: ServerConfig, error: unknown): Promise<unknown> {
    if (server.type === 'stdio') return error
    if (error instanceof RenewalFailed) return this.#renewalFailed(server, error)
    if (!(error instanceof SignInNeeded)) return error
    const { entries, redact, signInRemedy } = this.#given
    const entry = entries.of(server)
    const { signIns } = entry
    const isLate = await entries.watch(entry, error.at)
    const message = `${subjectOf(server)} needs a sign-in: ${forModel(redact(error.message))}.`
    if (isLate)
      return new NeedsSignIn(message, 'A user has signed in since: call again.', {
        isOver: () => true,
        cause: error,
      })
    if (error.scope !== undefined) await entry.keeper.want(error.scope)
    const begin = async (): Promise<AggregatorError> => {
      const { remedy, problem } = await this.#begin(entry, error.message)
      const reason = problem ? `${message} ${problem}` : message
      return new AggregatorError('needs_sign_in', reason, remedy, error)
    }
    const remedy = `${signInRemedy(unitName(server))} Then call again.`
    const isOver = (): boolean => entry.signIns > signIns
    return new NeedsSignIn(message, remedy, { isOver, begin, cause: error })
  }

  #renewalFailed(server: ServerConfig, error: RenewalFailed): AggregatorError {
    const { redact, signInRemedy } = this.#given
    return new AggregatorError(
      'upstream_down',
      `${subjectOf(server)} cannot be used for now: ${forModel(redact(error.message))}.`,
      `The next call tries again. If the error persists: ${signInRemedy(unitName(server))}`,
      error,
    )
  }

  /** Begins the sign-in that a call needs, or says how it can be done. */
  async #begin(entry: SignInEntry, reason: string): Promise<{ remedy: string; problem?: string }> {
    const { starter, redact, signInRemedy, mayBegin } = this.#given
    const signIn = signInRemedy(unitName(entry.server))
    if (!mayBegin()) return { remedy: `${signIn} Then call again.` }
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
      const url = await raceAbort((running ?? starter.start(entry)).url, late)
      return { remedy: `Sign in at ${url} (opened in a browser). Then call again.` }
    } catch (error) {
      if (isInProgress(error)) return { problem: error.message, remedy: error.remedy }
      if (late.aborted) return { remedy: 'A sign-in was started: call again to get its URL.' }
      const why = redact((error as Error).message)
      return { problem: `A sign-in could not be started: ${why}.`, remedy: signIn }
    }
  }
}

const subjectOf = ({ name, account }: ServerConfig): string =>
  `The server ${name}${account === undefined ? '' : `, account ${account},`}`
