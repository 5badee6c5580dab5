import { AggregatorError } from '../../protocol/aggregator-error.ts'

/** A sign-in in progress. */
export interface RunningSignIn {
  /** The URL at which the user signs in. Rejects if the sign-in fails before. */
  url: Promise<string>
  done: Promise<void>
}

export function startSignIn(run: (onUrl: (url: string) => void) => Promise<void>): RunningSignIn {
  let log = (_url: string): void => {}
  let fail = (_error: unknown): void => {}
  const url = new Promise<string>((resolve, reject) => {
    log = resolve
    fail = reject
  })
  const done = run(log)
  done.catch(fail)
  // Callers may await only one of the two promises.
  url.catch(() => {})
  return { url, done }
}

/** True if another process is running this sign-in. */
export const isInProgress = (error: unknown): error is AggregatorError =>
  error instanceof AggregatorError && error.code === 'needs_sign_in'
