/** What RFC 6750 calls it, where it has a word. */
export type BearerError = 'invalid_token' | 'insufficient_scope'

interface RefusedDetails {
  /** Who it was, where that is known; for those who keep the door. */
  who?: string | undefined
  error?: BearerError | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** A request that is not served. Routes throw it too; the door answers it, and tells of it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  /** One word, for those who keep the door. */
  readonly reason: string
  readonly status: number
  readonly who: string | undefined
  readonly error: BearerError | undefined
  readonly headers: Readonly<Record<string, string>>

  /** `text` is all that the client is told. */
  constructor(reason: string, status: number, text: string, details: RefusedDetails = {}) {
    super(text)
    this.reason = reason
    this.status = status
    this.who = details.who
    this.error = details.error
    this.headers = details.headers ?? {}
  }
}
