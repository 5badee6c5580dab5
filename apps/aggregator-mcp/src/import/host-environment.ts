import { homedir } from 'node:os'
import type { HostEnvironment } from './entry/entry-context.ts'

/** The environment of this process. */
export const hostEnvironment = (): HostEnvironment => ({
  home: homedir(),
  cwd: process.cwd(),
  platform: process.platform,
  variables: process.env,
  now: () => new Date(),
  main: process.argv[1] ?? '',
})
