/** Stable codes of {@link CodeError}. */
export type CodeErrorCode =
  | 'bad_argument'
  | 'not_allowed'
  | 'not_found'
  | 'not_text'
  | 'symbol_not_found'
  | 'no_symbols'
  | 'ambiguous'
  | 'content_changed'
  | 'too_large'

/** `message` states what failed with which value; `remedy` states what to do. */
export class CodeError extends Error {
  override readonly name = 'CodeError'
  readonly code: CodeErrorCode
  readonly remedy: string

  constructor(code: CodeErrorCode, message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.remedy = remedy
  }
}
