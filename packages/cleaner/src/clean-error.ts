export type CleanErrorCode = 'bad_selector' | 'timed_out' | 'too_large'

/** The cleaner's only error: the input is past a bound the caller set, or an option is no good. */
export class CleanError extends Error {
  override readonly name = 'CleanError'
  readonly code: CleanErrorCode

  constructor(code: CleanErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
