import { homedir } from 'node:os'
import type { HostEnvironment as BaseEnvironment } from '@pith-mcp/server-kit/clients'

/** Everything that an import reads from its environment, so that tests can run it on any tree. */
export interface HostEnvironment extends BaseEnvironment {
  now: () => Date
  /** The path of the running program, or a link to it. */
  main: string
}

/** The environment of this process. */
export const hostEnvironment = (): HostEnvironment => ({
  home: homedir(),
  cwd: process.cwd(),
  platform: process.platform,
  variables: process.env,
  now: () => new Date(),
  main: process.argv[1] ?? '',
})
