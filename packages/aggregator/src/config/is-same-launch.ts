import { isDeepStrictEqual } from 'node:util'
import type { ServerConfig } from './server-config.ts'

/** True if a server started with one configuration can keep running under the other. */
export function isSameLaunch(one: ServerConfig, other: ServerConfig): boolean {
  return isDeepStrictEqual(launchOf(one), launchOf(other))
}

/** Leaves out the settings that only concern listing and rate limits. */
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
