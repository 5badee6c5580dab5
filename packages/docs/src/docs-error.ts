export type DocsErrorCode =
  | 'bad_argument'
  | 'not_allowed'
  | 'not_found'
  | 'no_source'
  | 'page_changed'
  | 'section_not_found'
  | 'timeout'
  | 'too_large'
  | 'unreachable'
  | 'unsupported_type'

/** What went wrong with which value, in `message`; what to do about it, in `remedy`. */
export class DocsError extends Error {
  override readonly name = 'DocsError'
  readonly code: DocsErrorCode
  readonly remedy: string

  constructor(code: DocsErrorCode, message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.remedy = remedy
  }
}
