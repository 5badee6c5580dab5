import type { Docs, DocsOptions } from '@pith-mcp/docs'
import { log } from '@pith-mcp/server-kit/run'
import { cacheFolder } from './cache-folder.ts'
import { maxReply } from './reply-limit.ts'
import type { Settings } from './settings.ts'

/** Load the library on demand and open it with the settings. */
export async function openDocs(
  settings: Settings,
  sources: readonly string[],
  onNotice = (text: string): void => log('docs-mcp', text),
  others: Pick<DocsOptions, 'searchWaitMs'> = {},
): Promise<Docs> {
  const { createDocs, homeOf } = await import('@pith-mcp/docs')
  const homes = settings.site.map((name) => homeOf(name, settings.sites))
  return createDocs({
    sources: [...new Set([...sources, ...homes])],
    limits: { timeoutMs: settings.timeout * 1000 },
    maxPages: settings.maxPages,
    cap: maxReply,
    offline: settings.offline,
    only: hostsOnly(settings, homes),
    sites: settings.sites,
    siteSearch: settings.siteSearch,
    userAgent: settings.userAgent,
    networks: settings.allowNetworks,
    headers: settings.headers,
    searchWaitMs: settings.searchWait * 1000,
    maxCacheBytes: settings.maxCacheMb * 2 ** 20,
    proxy: settings.proxy,
    embeddings: settings.embeddings,
    cacheFolder: cacheFolder(settings),
    onNotice,
    ...others,
  })
}

/** Tools in compatibility mode read their own site only. */
const hostsOnly = ({ only, compat }: Settings, homes: readonly string[]): string[] =>
  only.length === 0 && compat !== undefined ? homes.map((home) => new URL(home).hostname) : only
