export type DocsErrorCode =
  | 'bad_argument'
  | 'not_allowed'
  | 'not_found'
  | 'no_source'
  | 'offline'
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
  /** Of HTTP, where it was the reason. */
  status?: number
  /** How long the server asks to wait. */
  retryAfterMs?: number

  constructor(code: DocsErrorCode, message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.remedy = remedy
  }
}
