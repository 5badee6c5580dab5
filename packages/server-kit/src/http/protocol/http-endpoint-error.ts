import { CodedError } from '#base/coded-error'

/** Stable codes of {@link HttpEndpointError}. */
export type HttpEndpointErrorCode =
  | 'bad_address'
  | 'too_open'
  | 'cannot_listen'
  | 'bad_tls'
  | 'bad_oauth'
  | 'damaged_tokens'
  | 'bad_token'
  | 'name_taken'
  | 'unknown_token'

/** `message` says what went wrong and with which value; the program adds what to do about it. */
export class HttpEndpointError extends CodedError<HttpEndpointErrorCode> {
  override readonly name = 'HttpEndpointError'
}
