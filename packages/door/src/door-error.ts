export type DoorErrorCode =
  | 'bad_address'
  | 'too_open'
  | 'cannot_listen'
  | 'bad_oauth'
  | 'damaged_tokens'
  | 'bad_token'
  | 'name_taken'
  | 'unknown_token'

/** What went wrong with which value, in `message`; what to do about it is said by who opens the door. */
export class DoorError extends Error {
  override readonly name = 'DoorError'
  readonly code: DoorErrorCode

  constructor(code: DoorErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
