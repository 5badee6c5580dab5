/** `message` says what went wrong and with which value; `remedy` says what to do about it. */
export class RemediedError<Code extends string> extends Error {
  /** Stable. */
  readonly code: Code
  readonly remedy: string

  constructor(code: Code, message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.remedy = remedy
  }
}
