import { join } from 'node:path'
import { createFileTokens, type FileTokens } from '@pith-mcp/door'

/** Tokens of the team; none where nothing is kept. */
export function tokensOf(
  state: string | false,
  onLog: (text: string) => void,
): FileTokens | undefined {
  return state === false ? undefined : createFileTokens({ path: join(state, 'tokens.json'), onLog })
}
