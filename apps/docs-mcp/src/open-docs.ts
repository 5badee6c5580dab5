import {
  type InputRequiredResult,
  isInputRequiredResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { DescribeDeclarations, Docs, DocsOptions } from '@pith-mcp/docs'
import { clientRoots, LazyLibrary, log } from '@pith-mcp/server-kit/run'
import { cacheFolderOf, type Environment } from '@pith-mcp/server-kit/settings'
import { openOwnDatabase } from './open-database.ts'
import { projectFolder, projectIn, servesProject } from './project-folder.ts'
import { maxText } from './reply-limit.ts'
import type { Settings } from './settings.ts'

/** Load the library on demand and open it with the settings. */
export async function openDocs(
  settings: Settings,
  sources: readonly string[],
  onNotice = (text: string): void => log('docs-mcp', text),
  overrides: Pick<DocsOptions, 'searchWaitMs'> = {},
  folder: string | undefined = projectFolder(settings, sources),
): Promise<Docs> {
  const { createDocs, homeOf } = await import('@pith-mcp/docs')
  const homes = settings.site.map((name) => homeOf(name, settings.sites))
  const { databaseUrl } = settings
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

/** The library for a call, or what the client is asked first. */
export type OpenDocs = (
  server: Server,
  context: ServerContext,
) => Promise<Docs | InputRequiredResult>

/** The library of a server, opened at the first call. */
export interface ServerDocs {
  /** For a tool: if the server was not started in a project, it is the one that the client has open. */
  openFor: OpenDocs
  open(): Promise<Docs>
  close(): Promise<void>
  hasProject: boolean
}

export function serverDocs(settings: Settings, sources: readonly string[]): ServerDocs {
  const folder = projectFolder(settings, sources)
  const libraryOf = (project?: string) =>
    new LazyLibrary<Docs>(() => openDocs(settings, sources, undefined, {}, project))
  const libraries = [libraryOf(folder)]
  const open = () => (libraries.at(-1) as LazyLibrary<Docs>).open()
  let isDecided = folder !== undefined || !servesProject(settings, sources)
  return {
    open,
    hasProject: folder !== undefined,
    async close() {
      await Promise.all(libraries.map((library) => library.close()))
    },
    async openFor(server, context) {
      if (!isDecided) {
        const roots = await clientRoots(server, context)
        if (isInputRequiredResult(roots)) return roots
        const project = projectIn(roots)
        // The first call decides for the others.
        if (!isDecided && project !== undefined) libraries.push(libraryOf(project))
        isDecided = true
      }
      return open()
    },
  }
}

const describe: DescribeDeclarations = async (declarations) =>
  (await import('@pith-mcp/installed/declarations/describe-declarations')).describeDeclarations(
    declarations,
  )

/** Tools in compatibility mode read their own site only. */
const hostsOnly = ({ only, compat }: Settings, homes: readonly string[]): string[] =>
  only.length === 0 && compat !== undefined ? homes.map((home) => new URL(home).hostname) : only

/** The cache folder; undefined if caching is off. */
export const cacheFolder = (
  { cache }: Pick<Settings, 'cache'>,
  environment: Environment = process.env,
): string | undefined => cacheFolderOf('docs-mcp', cache, environment)
