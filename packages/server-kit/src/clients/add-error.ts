import { CodedError } from '#base/coded-error'

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
export class AddError extends CodedError<AddErrorCode> {
  override readonly name = 'AddError'
}
