/**
 * A call with unusable arguments: the message states the problem, the remedy an alternative call.
 */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}
