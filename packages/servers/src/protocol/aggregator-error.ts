import { RemediedError } from '#base/coded-error'

/** Stable codes of {@link AggregatorError}. */
export type AggregatorErrorCode =
  | 'bad_config'
  | 'bad_argument'
  | 'unknown_module'
  | 'unknown_tool'
  | 'unknown_account'
  | 'tool_held'
  | 'call_denied'
  | 'needs_approval'
  | 'approval_refused'
  | 'unknown_approval'
  | 'approvals_unreadable'
  | 'needs_sign_in'
  | 'rate_limited'
  | 'budget_spent'
  | 'unknown_result'
  | 'upstream_down'
  | 'upstream_closed'
  | 'upstream_refused'
  | 'bad_result'
  | 'timeout'
  | 'outcome_unknown'
  | 'cannot_ask'
  | 'too_many'
  | 'too_many_instances'
  | 'no_session'
  | 'journal_unwritable'

/** `message` says what went wrong and with which value; `remedy` says what to do about it. */
export class AggregatorError extends RemediedError<AggregatorErrorCode> {
  override readonly name = 'AggregatorError'
  /** The path in the configuration of the setting that decides, if one does. */
  setting?: string
}

/** A refusal by a setting. All that say it, to models and to people, print its remedy, which names the setting. */
export function refusedBy(
  setting: string,
  code: AggregatorErrorCode,
  message: string,
  remedy: string,
): AggregatorError {
  const isNamed = `${message} ${remedy}`.includes(setting)
  const error = new AggregatorError(
    code,
    message,
    isNamed ? remedy : `${remedy} Setting: ${setting}.`,
  )
  error.setting = setting
  return error
}
