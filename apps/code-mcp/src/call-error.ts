/** A call that cannot be answered as it was made: what is wrong, and what to do instead. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}
