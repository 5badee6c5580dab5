/** Stable codes of {@link SetupError}. */
export type SetupErrorCode =
  | 'unknown_client'
  | 'bad_name'
  | 'no_location'
  | 'name_taken'
  | 'file_refused'
  | 'file_changed'

/** Nothing was written; `message` says why, with the value, and what to do about it. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
  readonly code: SetupErrorCode

  constructor(code: SetupErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
