import { createKeychain, type Keychain } from '@pith-mcp/aggregator'
import {
  type HostEnvironment as BaseEnvironment,
  hostEnvironment as baseEnvironment,
} from '@pith-mcp/server-kit/clients'

/** Everything that an import reads from its environment, so that tests can run it on any tree. */
export interface HostEnvironment extends BaseEnvironment {
  now: () => Date
  /** Where secrets are stored. */
  keychain: Pick<Keychain, 'set'>
  /** The path of the running program, or a link to it. */
  main: string
}

/** The environment of this process. */
export const hostEnvironment = (): HostEnvironment => ({
  ...baseEnvironment(process.env),
  now: () => new Date(),
  keychain: createKeychain(),
  main: process.argv[1] ?? '',
})
