import { AggregatorError } from '../../protocol/aggregator-error.ts'

interface SignInToBegin {
  /** Someone has signed in since. */
  isOver: () => boolean
  /** Begin it, if that is wanted here; what a caller is told then. */
  begin?: () => Promise<AggregatorError>
  cause: unknown
}

/** What a caller is told: how to sign in. */
export class NeedsSignIn extends AggregatorError {
  readonly isOver: () => boolean
  /** For a call of a tool: whoever only looks around would have tabs opened that nobody asked for. */
  readonly begin: () => Promise<AggregatorError>

  constructor(message: string, remedy: string, { isOver, begin, cause }: SignInToBegin) {
    super('needs_sign_in', message, remedy, cause)
    this.isOver = isOver
    this.begin = begin ?? (async () => this)
  }
}
