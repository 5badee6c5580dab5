/** An invalid command line, environment or settings file; `message` states why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
