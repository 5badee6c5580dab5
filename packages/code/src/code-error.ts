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

/** What went wrong with which value, in `message`; what to do about it, in `remedy`. */
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
