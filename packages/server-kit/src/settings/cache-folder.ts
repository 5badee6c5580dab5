import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Environment } from './read-settings.ts'

/** The setting for the folder of a cache; `false` for none. */
export const cacheType: z.ZodOptional<z.ZodUnion<readonly [z.ZodString, z.ZodLiteral<false>]>> = z
  .union([z.string(), z.literal(false)])
  .optional()

/** The cache folder of a program; undefined if caching is off. */
export function cacheFolderOf(
  program: string,
  cache: z.output<typeof cacheType>,
  environment: Environment,
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
  return join(base, 'pith', program)
}
