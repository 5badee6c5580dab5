/** What the reply for an error says. */
export interface Problem {
  /** Of HTTP. */
  status: number
  code: string
  message: string
  remedy?: string | undefined
}

/** A request that is rejected before an operation performs. */
export class RequestError extends Error implements Problem {
  override readonly name = 'RequestError'
  readonly status: number
  readonly code: string
  readonly remedy: string | undefined

  constructor({ status, code, message, remedy }: Problem) {
    super(message)
    this.status = status
    this.code = code
    this.remedy = remedy
  }
}

export const badRequest = (message: string): RequestError =>
  new RequestError({ status: 400, code: 'bad_request', message })
