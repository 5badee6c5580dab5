import { AggregatorError } from '../../protocol/aggregator-error.ts'

/** A sign-in that is under way. */
export interface RunningSignIn {
  /** Where the user signs in. Rejects when it fails before. */
  url: Promise<string>
  done: Promise<void>
}

export function startSignIn(run: (onUrl: (url: string) => void) => Promise<void>): RunningSignIn {
  let tell = (_url: string): void => {}
  let fail = (_error: unknown): void => {}
  const url = new Promise<string>((resolve, reject) => {
    tell = resolve
    fail = reject
  })
  const done = run(tell)
  done.catch(fail)
  // Not everyone wants to know both.
  url.catch(() => {})
  return { url, done }
}

/** Another process does it. */
export const isUnderWay = (error: unknown): error is AggregatorError =>
  error instanceof AggregatorError && error.code === 'needs_sign_in'
