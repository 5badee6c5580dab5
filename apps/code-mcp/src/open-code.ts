import {
  type InputRequiredResult,
  isInputRequiredResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Code, CodeOptions } from '@pith-mcp/code'
import { clientRoots, LazyLibrary } from '@pith-mcp/server-kit/run'
import { cacheFolderOf, type Environment } from '@pith-mcp/server-kit/settings'
import { existingRoots, namedRoots, projectRoots } from './roots.ts'
import { pagingSize, type Settings } from './settings.ts'

/** The library for a call, or what the client is asked first. */
export type OpenCode = (
  server: Server,
  context: ServerContext,
) => Promise<Code | InputRequiredResult>

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

/**
 * The library of a server, opened at the first call. If no folder is named, it is the one that the
 * client has open; over HTTP, clients may be on other machines and are not asked.
 *
 * @throws {UsageError} for a named folder that does not exist.
 */
export function serverCode(
  settings: Settings,
  folders: readonly string[],
  environment: Environment,
): { open: OpenCode; close(): Promise<void> } {
  let roots = namedRoots(folders, environment).length > 0 && existingRoots(folders, environment)
  if (!roots && settings.http !== undefined) roots = projectRoots([], environment)
  const library = new LazyLibrary<Code>(() => openCode(settings, roots || []))
  return {
    close: () => library.close(),
    async open(server, context) {
      const open = roots || (await clientRoots(server, context))
      if (isInputRequiredResult(open)) return open
      // The first call decides for the others.
      roots ||= projectRoots(open, environment)
      return library.open()
    },
  }
}
