/** The command line cannot be understood; `message` says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
