import { homedir } from 'node:os'
import type { Surroundings } from './entry/entry-context.ts'
/** Those of this very process. */
export const surroundingsHere = (): Surroundings => ({
  home: homedir(),
  cwd: process.cwd(),
  platform: process.platform,
  variables: process.env,
  now: () => new Date(),
  main: process.argv[1] ?? '',
})
