/** A wrong command line or configuration; `message` gives the reason. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
