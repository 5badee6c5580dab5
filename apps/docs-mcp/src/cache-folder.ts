import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '@pith-mcp/server-kit/settings'
import type { Settings } from './settings.ts'

/** The cache folder; undefined if caching is off. */
export function cacheFolder(
  { cache }: Pick<Settings, 'cache'>,
  environment: Environment = process.env,
): string | undefined {
  if (cache === false || cache === '') return undefined
  if (cache !== undefined) return cache
  const { XDG_CACHE_HOME, LOCALAPPDATA } = environment
  const home = homedir()
  const base =
    process.platform === 'win32'
      ? (LOCALAPPDATA ?? join(home, 'AppData', 'Local'))
      : process.platform === 'darwin'
        ? join(home, 'Library', 'Caches')
        : XDG_CACHE_HOME || join(home, '.cache')
  return join(base, 'pith', 'docs-mcp')
}
