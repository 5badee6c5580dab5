import { CodedError } from '#base/coded-error'

/** Stable codes of {@link CleanError}. */
export type CleanErrorCode = 'bad_selector' | 'timed_out' | 'too_large'

/** The cleaner's only error: the input exceeds a limit, or an option is invalid. */
export class CleanError extends CodedError<CleanErrorCode> {
  override readonly name = 'CleanError'
}
