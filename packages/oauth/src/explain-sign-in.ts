import { raceAbort } from '#base/race-abort'
import { forModel, serverError } from '#scan/server-text'
import type { ServerConfig } from '#servers/config/server-config'
import { NeedsSignIn } from '#servers/connection/needs-sign-in'
import { RenewalFailed, SignInNeeded } from '#servers/connection/sign-in-needed'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { qualifiedName } from '#servers/protocol/server-account'
import { isUnattended } from './client-credentials.ts'
import type { SignInEntry } from './sign-in-entries.ts'
import { isInProgress, type SignInContext, startSignIn } from './start-sign-in.ts'

/** A caller waits for the URL only, not for the user. */
export const urlMs = 10_000
/** After a failed sign-in, calls begin no other for this long. */
const quietMs = 30_000

/** Converts an error of a connection into the error for the caller of a server. */
export async function explainSignIn(
  server: ServerConfig,
  error: unknown,
  context: SignInContext,
): Promise<unknown> {
  if (server.type === 'stdio') return error
  const { entries, secrets, signInRemedy } = context
  if (error instanceof RenewalFailed)
    return new AggregatorError(
      'upstream_down',
      `${subjectOf(server)} cannot be used for now: ${forModel(secrets.redact(error.message))}.`,
      `The next call tries again. If the error persists: ${isUnattended(server) ? 'Correct "oauth" of the server.' : signInRemedy(qualifiedName(server))}`,
      error,
    )
  if (!(error instanceof SignInNeeded)) return error
  const entry = entries.of(server)
  const { signIns } = entry
  const isLate = await entries.watch(entry, error.at)
  const message = `${subjectOf(server)} needs a sign-in: ${forModel(secrets.redact(error.message))}.`
  if (isLate)
    return new NeedsSignIn(message, 'A user has signed in since: call again.', {
      isOver: () => true,
      cause: error,
    })
  if (error.scope !== undefined) await entry.keeper.want(error.scope)
  const begin = async (): Promise<AggregatorError> => {
    const { remedy, problem } = await beginSignIn(entry, error.message, context)
    const reason = problem ? `${message} ${problem}` : message
    return new AggregatorError('needs_sign_in', reason, remedy, error)
  }
  const remedy = `${signInRemedy(qualifiedName(server))} Then call again.`
  const isOver = (): boolean => entry.signIns > signIns
  return new NeedsSignIn(message, remedy, { isOver, begin, cause: error })
}

/** Begins the sign-in that a call needs, or says how it can be done. */
async function beginSignIn(
  entry: SignInEntry,
  reason: string,
  context: SignInContext,
): Promise<{ remedy: string; problem?: string }> {
  const { options, closing, secrets, signInRemedy } = context
  const signIn = signInRemedy(qualifiedName(entry.server))
  if (options.interactive !== true || closing.aborted)
    return { remedy: `${signIn} Then call again.` }
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
    const url = await raceAbort(startSignIn(entry, context).url, late)
    return { remedy: `Sign in at ${url} in a browser. Then call again.` }
  } catch (error) {
    if (isInProgress(error)) return { problem: error.message, remedy: error.remedy }
    if (late.aborted) return { remedy: 'A sign-in was started: call again to get its URL.' }
    const why = serverError(secrets.redact((error as Error).message))
    return { problem: `A sign-in could not be started: ${why}.`, remedy: signIn }
  }
}

const subjectOf = ({ name, account }: ServerConfig): string =>
  `The server ${name}${account === undefined ? '' : `, account ${account},`}`
