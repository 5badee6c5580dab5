import type { DescribeDeclarations, Docs, DocsOptions } from '@pith-mcp/docs'
import { log } from '@pith-mcp/server-kit/run'
import { cacheFolderOf, type Environment } from '@pith-mcp/server-kit/settings'
import { openOwnDatabase } from './open-database.ts'
import { projectFolder } from './project-folder.ts'
import { maxText } from './reply-limit.ts'
import type { Settings } from './settings.ts'

/** Load the library on demand and open it with the settings. */
export async function openDocs(
  settings: Settings,
  sources: readonly string[],
  onNotice = (text: string): void => log('docs-mcp', text),
  overrides: Pick<DocsOptions, 'searchWaitMs'> = {},
): Promise<Docs> {
  const { createDocs, homeOf } = await import('@pith-mcp/docs')
  const homes = settings.site.map((name) => homeOf(name, settings.sites))
  const { databaseUrl } = settings
  const folder = projectFolder(settings, sources)
  const database = databaseUrl ? await openOwnDatabase(databaseUrl, onNotice) : undefined
  const docs = await createDocs({
    ...settings,
    sources: [...new Set([...sources, ...homes])],
    limits: { timeoutMs: settings.timeout * 1000 },
    cap: maxText,
    only: hostsOnly(settings, homes),
    networks: settings.allowNetworks,
    searchWaitMs: settings.searchWait * 1000,
    maxCacheBytes: settings.maxCacheMb * 2 ** 20,
    cacheFolder: cacheFolder(settings),
    project: folder === undefined ? undefined : { folder, describe },
    database,
    onNotice,
    ...overrides,
  }).catch(async (error: unknown) => {
    await database?.close()
    throw error
  })
  if (!database) return docs
  return { ...docs, close: () => docs.close().finally(() => database.close()) }
}

const describe: DescribeDeclarations = async (declarations) =>
  (await import('./declarations/describe-declarations.ts')).describeDeclarations(declarations)

/** Tools in compatibility mode read their own site only. */
const hostsOnly = ({ only, compat }: Settings, homes: readonly string[]): string[] =>
  only.length === 0 && compat !== undefined ? homes.map((home) => new URL(home).hostname) : only

/** The cache folder; undefined if caching is off. */
export const cacheFolder = (
  { cache }: Pick<Settings, 'cache'>,
  environment: Environment = process.env,
): string | undefined => cacheFolderOf('docs-mcp', cache, environment)
