import type { Code, CodeOptions } from '@pith-mcp/code'
import { cacheFolderOf } from '@pith-mcp/server-kit/settings'
import { pagingSize, type Settings } from './settings.ts'

/** Load the library on demand and open it with the settings. */
export async function openCode(
  settings: Settings,
  roots: readonly string[],
  overrides: Pick<CodeOptions, 'fillsIndex'> = {},
): Promise<Code> {
  const { createCode } = await import('@pith-mcp/code')
  const pageSize = settings.pageSize ?? (settings.compat && pagingSize)
  return createCode({
    roots,
    ...(pageSize !== undefined && { pageSize }),
    pagingThreshold: settings.pageOver,
    maxParseBytes: settings.maxParseMb * 1e6,
    parseTimeoutMs: settings.parseTimeout * 1000,
    searchWaitMs: settings.searchWait * 1000,
    cacheFolder: cacheFolderOf('code-mcp', settings.cache, process.env),
    ...overrides,
  })
}
