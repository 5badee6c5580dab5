import type { DocsOptions } from './docs.ts'
import { type Access, hostKey, parseNetwork } from './fetch/access.ts'
import { createFrontPageReader } from './fetch/front-page.ts'
import { type FetchLimits, headersFor } from './fetch/http-client.ts'
import { HttpClient } from './fetch/undici-client.ts'
import { openPacks } from './indexer/open-packs.ts'
import { openState, type State } from './indexer/open-state.ts'
import { createSourceIndexes, type SourceIndexes } from './indexer/source-indexes.ts'
import type { PageStore } from './page/cache/page-store.ts'
import { createCleanPool } from './page/clean-pool.ts'
import { PageReader } from './page/page-reader.ts'
import type { DocsSource } from './page-listing/docs-source.ts'
import { createSourceLister } from './page-listing/list-source.ts'
import { openSources } from './page-listing/open-sources.ts'
import { createSites, type Sites } from './site-search/open-sites.ts'
import {
  addressesOf,
  parseSiteSettings,
  type SiteSettings,
  siteAt,
} from './site-search/site-settings.ts'

const defaultLimits: FetchLimits = {
  timeoutMs: 20_000,
  maxBytes: 16 * 2 ** 20,
  maxRedirects: 5,
  retries: 2,
  perHost: 6,
  perSecond: 30,
}

/** What questions are answered from. */
export interface Backend {
  reader: PageReader
  store: PageStore
  indexes: SourceIndexes
  sites: Sites
  settings: SiteSettings
  /** Close connections and stop indexing. What was read so far is stored. */
  close(): Promise<void>
}

/** Open the caches, the sources and what reads them. @throws {DocsError} */
export async function openBackend(options: DocsOptions): Promise<Backend> {
  const state = await openState({
    folder: options.cacheFolder,
    maxBytes: options.maxCacheBytes,
    onNotice: options.onNotice ?? (() => {}),
  })
  try {
    return await openOver(state, options)
  } catch (error) {
    await state.close()
    throw error
  }
}

async function openOver(state: State, options: DocsOptions): Promise<Backend> {
  const { headers = {}, maxPages = 2_000, offline = false, proxy, userAgent } = options
  const limits = { ...defaultLimits, ...options.limits }
  const settings = parseSiteSettings(options.sites ?? {})
  const { sources, access } = await openSources(options.sources ?? [], {
    networks: (options.networks ?? []).map(parseNetwork),
    only: options.only ?? [],
    unpackInto: state.archives,
    addressesAt(url) {
      const choice = siteAt(url, settings)
      return choice ? addressesOf(choice) : []
    },
  })
  const client = new HttpClient({ access, limits, proxy, headers, offline, userAgent })
  const front = createFrontPageReader(client)
  const sites = createSites({
    client,
    settings,
    front,
    isNamed: (url) =>
      access.namedHosts.has(hostKey(url.hostname, url.port, url.protocol)) ||
      headersFor(headers, url.href) !== undefined,
    offline,
    isSearchOff: options.siteSearch === false,
  })
  const store = await state.pages()
  const packs = await openPacks(sources)
  const cleaner = createCleanPool()
  const reader = new PageReader({
    access,
    client,
    cleaner,
    store,
    packs: packs.map((pack) => pack.store),
    readsHtml: (url) => siteAt(url, settings)?.adapter.readsHtml === true,
    maxBytes: limits.maxBytes,
    offline,
  })
  const closing = new AbortController()
  const indexes = createSourceIndexes({
    sources,
    sites,
    reader,
    lister: createSourceLister({ client, front, sites, cleaner, maxPages }),
    maxPages,
    indexOf: async (source) =>
      packs.find(({ path }) => source.kind === 'pack' && path === source.path)?.index ??
      state.indexOf(indexName(source, access)),
    offline,
    closed: closing.signal,
  })

  return {
    reader,
    store,
    indexes,
    sites,
    settings,
    async close() {
      closing.abort()
      await client.close()
      for (const indexer of await indexes.opened()) await indexer.idle()
      await cleaner.close()
      for (const pack of packs) pack.close()
      await state.close()
    },
  }
}

/** Names the index of a source among those in the cache folder. */
function indexName(source: DocsSource, { roots }: Access): string {
  if (source.kind === 'site') return source.url
  // Pages are named relative to the roots, so the same folder among other roots may have other
  // names.
  return [source.path, ...(roots.length > 1 ? roots : [])].join('\n')
}
