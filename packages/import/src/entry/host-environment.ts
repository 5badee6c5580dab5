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
  /** Stores a secret to which `referenceTo` refers. @throws {Error} without a keychain */
  storeSecret(name: string, value: string): Promise<unknown>
}
