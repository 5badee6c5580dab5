/** A server requires authorization, and there is no valid token. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
  /** The scope that the server requires in addition to those granted. */
  readonly scope: string | undefined
  /** Local time of the error in milliseconds since 1970. */
  readonly at: number = Date.now()

  constructor(reason: string, scope?: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.scope = scope
  }
}

/** There is a grant, but its token could not be refreshed for now. */
export class RenewalFailed extends Error {
  override readonly name = 'RenewalFailed'
}
