/** A server wants to know who asks, and there is nothing to tell it. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
  /** What it asked for beyond what was granted. */
  readonly scope: string | undefined
  /** By our clock. */
  readonly at: number = Date.now()

  constructor(reason: string, scope?: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.scope = scope
  }
}

/** There is something, but it could not be renewed for now. */
export class RenewalFailed extends Error {
  override readonly name = 'RenewalFailed'
}
