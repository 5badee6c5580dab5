import { AggregatorError } from '../protocol/aggregator-error.ts'

interface SignInToBegin {
  /** True if a user has signed in since. */
  isOver: () => boolean
  /** Begins a sign-in, if configured; resolves to the error for the caller. */
  begin?: () => Promise<AggregatorError>
  cause: unknown
}

/** The server needs a sign-in; `remedy` says how. */
export class NeedsSignIn extends AggregatorError {
  readonly isOver: () => boolean
  /** For tool calls only: listing tools must not open browser tabs. */
  readonly begin: () => Promise<AggregatorError>

  constructor(message: string, remedy: string, { isOver, begin, cause }: SignInToBegin) {
    super('needs_sign_in', message, remedy, cause)
    this.isOver = isOver
    this.begin = begin ?? (async () => this)
  }
}
