import { AggregatorError } from '../aggregator-error.ts'

/** What a caller is told: where, or how, to sign in. */
export class NeedsSignIn extends AggregatorError {
  /** Someone has signed in since. */
  readonly isOver: () => boolean

  constructor(message: string, remedy: string, isOver: () => boolean, cause: unknown) {
    super('needs_sign_in', message, remedy, cause)
    this.isOver = isOver
  }
}
