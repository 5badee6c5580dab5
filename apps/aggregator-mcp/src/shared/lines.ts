/**
 * Lines from the shared process to a client's shim. A line of the protocol begins with `{` and goes
 * to stdout; these are for the shim.
 */
export const marks = {
  /** A line for stderr follows. */
  log: '!',
  /** The shim ends with the code that follows. */
  exit: '#',
  /** A newer process has taken over: no further requests. */
  leave: '~',
} as const

/** The first word of a command line that serves shims. */
export const servingWord = 'serve-shared'

/** The first line of a shim. */
export interface Hello {
  argv: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** What is done instead of serving a client. */
  wants?: 'console'
}
