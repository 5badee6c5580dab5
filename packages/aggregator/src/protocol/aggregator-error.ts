/** Stable codes of {@link AggregatorError}. */
export type AggregatorErrorCode =
  | 'bad_config'
  | 'bad_argument'
  | 'unknown_module'
  | 'unknown_tool'
  | 'unknown_account'
  | 'tool_held'
  | 'needs_sign_in'
  | 'rate_limited'
  | 'budget_spent'
  | 'unknown_result'
  | 'upstream_down'
  | 'upstream_closed'
  | 'upstream_refused'
  | 'bad_result'
  | 'timeout'
  | 'cannot_ask'
  | 'too_many'
  | 'too_many_instances'
  | 'no_session'
  | 'too_many_instances'
  | 'no_session'
  | 'journal_unwritable'

/** `message` says what went wrong and with which value; `remedy` says what to do about it. */
export class AggregatorError extends Error {
  override readonly name = 'AggregatorError'
  readonly code: AggregatorErrorCode
  readonly remedy: string

  constructor(code: AggregatorErrorCode, message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.remedy = remedy
  }
}
