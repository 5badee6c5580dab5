import { join } from 'node:path'
import { createFileTokens, type FileTokens } from '@pith-mcp/server-kit'

/** The access tokens; undefined with --no-state. */
export function tokensOf(
  state: string | false,
  onLog: (text: string) => void,
): FileTokens | undefined {
  return state === false ? undefined : createFileTokens({ path: join(state, 'tokens.json'), onLog })
}
