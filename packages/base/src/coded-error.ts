/** `message` says what went wrong and with which value. */
export class CodedError<Code extends string> extends Error {
  /** Stable. */
  readonly code: Code

  constructor(code: Code, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** `remedy` says what to do about it. */
export class RemediedError<Code extends string> extends CodedError<Code> {
  readonly remedy: string

  constructor(code: Code, message: string, remedy: string, cause?: unknown) {
    super(code, message, cause)
    this.remedy = remedy
  }
}
