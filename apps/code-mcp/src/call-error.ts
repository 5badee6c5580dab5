/**
 * A call with unusable arguments: the message states the problem, the remedy what to do instead.
 */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}
