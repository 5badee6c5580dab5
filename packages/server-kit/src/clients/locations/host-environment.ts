import { homedir } from 'node:os'
import type { HostEnvironment } from './location.ts'

/** The environment of this process, with its variables. */
export const hostEnvironment = (variables: HostEnvironment['variables']): HostEnvironment => ({
  home: homedir(),
  cwd: process.cwd(),
  platform: process.platform,
  variables,
})
