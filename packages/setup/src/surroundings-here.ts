import { homedir } from 'node:os'
import type { Surroundings } from './clients/client-files.ts'

/** Those of this very process. */
export const surroundingsHere = (): Surroundings => ({
  home: homedir(),
  cwd: process.cwd(),
  platform: process.platform,
  variables: process.env,
})
