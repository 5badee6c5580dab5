import type { HostEnvironment as BaseEnvironment } from '@pith-mcp/server-kit/clients'

/** Everything that an import reads from its environment, so that tests can run it on any tree. */
export interface HostEnvironment extends BaseEnvironment {
  now: () => Date
  /** The path of the running program, or a link to it. */
  main: string
  /** The package of the running program. */
  packageName: string
  /** The variable that names our configuration file. */
  configVariable: string
  /** Whether a text at this path of our file is secret, and written in clear. */
  isInClear(path: readonly string[], text: string): boolean
  /** The secret parts of a text, and of the arguments of a command. */
  secretsIn(name: string | undefined, text: string): string[]
  secretsInArgs(args: readonly string[]): string[]
  /** What a person must accept before an entry is written. */
  risksOf(entry: object): string[]
  /** The keychain, or files that only their owner can read. */
  secrets(): Promise<{
    where: string
    referenceTo(name: string): string
    store(name: string, value: string): Promise<unknown>
  }>
}
