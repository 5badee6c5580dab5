/** Error codes of RFC 6750. */
export type BearerError = 'invalid_token' | 'insufficient_scope'

interface RejectedDetails {
  /** The principal, if known; for the log. */
  principal?: string | undefined
  error?: BearerError | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** A rejected request. Routes may throw it; the endpoint answers and logs it. */
export class RejectedError extends Error {
  override readonly name = 'RejectedError'
  /** One word, for the log. */
  readonly reason: string
  readonly status: number
  readonly principal: string | undefined
  readonly error: BearerError | undefined
  readonly headers: Readonly<Record<string, string>>

  /** `text` is the reply to the client. */
  constructor(reason: string, status: number, text: string, details: RejectedDetails = {}) {
    super(text)
    this.reason = reason
    this.status = status
    this.principal = details.principal
    this.error = details.error
    this.headers = details.headers ?? {}
  }
}

/** For a credential that was sent and is not accepted. */
export const invalidToken = (reason: string, principal?: string): RejectedError =>
  new RejectedError(reason, 401, 'The bearer token is not valid.', {
    principal,
    error: 'invalid_token',
  })
