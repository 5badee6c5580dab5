import { isDeepStrictEqual } from 'node:util'
import type { ServerConfig } from './server-config.ts'

/** Whether a server that runs by the one can stay as it is under the other. */
export function isSameLaunch(one: ServerConfig, other: ServerConfig): boolean {
  return isDeepStrictEqual(launchOf(one), launchOf(other))
}

/** What says only which tools are shown, and how often they may be called, is left out. */
function launchOf(server: ServerConfig): object {
  const {
    description: _,
    tags: __,
    accounts: ___,
    rules: ____,
    limits,
    isPinned,
    ...launch
  } = server
  return launch
}
