/** Stable codes of {@link AddError}. */
export type AddErrorCode =
  | 'unknown_client'
  | 'bad_name'
  | 'no_location'
  | 'name_taken'
  | 'not_there'
  | 'not_own'
  | 'file_refused'
  | 'file_changed'

/** Nothing was written; `message` says why, with the value. */
export class AddError extends Error {
  override readonly name = 'AddError'
  readonly code: AddErrorCode

  constructor(code: AddErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
