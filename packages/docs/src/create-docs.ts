import { basename } from 'node:path'
import { createMeaning } from '@pith-mcp/scorer'
import type { Docs, DocsOptions } from './docs.ts'
import { type Access, hostKey, parseNetwork } from './fetch/access.ts'
import { createFrontPageReader } from './fetch/front-page.ts'
import { type FetchLimits, HttpClient, headersFor } from './fetch/http-client.ts'
import { openState, type State } from './indexer/open-state.ts'
import { openPacks } from './indexer/pack-file.ts'
import { createSourceIndexes } from './indexer/source-indexes.ts'
import { CleanPool } from './page/clean-pool.ts'
import { PageReader } from './page/page-reader.ts'
import type { DocsSource } from './page-listing/docs-source.ts'
import { openSources } from './page-listing/open-sources.ts'
import { SourceLister } from './page-listing/source-lister.ts'
import { readContents } from './questions/contents.ts'
import { find } from './questions/find.ts'
import { findRelated } from './questions/related.ts'
import { pagesLike, search, update } from './questions/search.ts'
import { searchTable } from './questions/search-table.ts'
import { readContent, readSection, sectionIds } from './questions/section.ts'
import { readSections } from './questions/sections.ts'
import { describe, querySiteSearch, recommend } from './questions/site.ts'
import { readToc } from './questions/toc.ts'
import { writePack } from './questions/write-pack.ts'
import { createSites } from './site-search/open-sites.ts'
import {
  adapterNamed,
  addressesOf,
  optionsOf,
  parseSiteSettings,
  siteAt,
} from './site-search/site-settings.ts'

/**
 * Open the sources and return the functions that read and search them.
 *
 * @throws {DocsError} if a source does not exist, or an option is invalid.
 */
export async function createDocs(options: DocsOptions = {}): Promise<Docs> {
  const { cap = 20_000, searchWaitMs: waitMs = 20_000, embeddings, onNotice = () => {} } = options
  const state = await openState({
    folder: options.cacheFolder,
    maxBytes: options.maxCacheBytes,
    database: options.database,
    onNotice,
  })
  const { settings, close, ...opened } = await openBackend(state, options).catch(async (error) => {
    await state.close()
    throw error
  })
  const byMeaning = embeddings && !options.offline ? createMeaning(embeddings, onNotice) : undefined
  const deps = { ...opened, cap, waitMs, byMeaning }

  return {
    search: (query, searchOptions) => search(deps, query, searchOptions),
    update: (updateOptions) => update(deps, updateOptions),
    pagesLike: (text, limit) => pagesLike(deps, text, limit),
    writePack: (path, packOptions) => writePack(deps, path, packOptions),

    find: (url, query, findOptions) => find(deps, url, query, findOptions),
    searchTable: (url, query, tableOptions) => searchTable(deps, url, query, tableOptions),
    toc: (url, tocOptions) => readToc(deps, url, tocOptions),
    section: (url, name, readOptions) => readSection(deps, url, name, readOptions),
    sections: (url, names, readOptions) => readSections(deps, url, names, readOptions),
    content: (url, readOptions) => readContent(deps, url, readOptions),
    sectionIds: (url) => sectionIds(deps, url),
    related: (url, name, callOptions) => findRelated(deps, url, name, callOptions),

    querySiteSearch: (name, query, siteQuery) => querySiteSearch(deps, name, query, siteQuery),
    describe: (name) => describe(deps, name),
    recommend: (url, callOptions) => recommend(deps, url, callOptions),
    isContents: (url) => deps.sites.at(url)?.site.isContents?.(url) ?? false,
    contents: (url, guideOptions) => readContents(deps, url, guideOptions),
    siteOptions: (name) => optionsOf(adapterNamed(name), settings),
    close,
  }
}

const defaultLimits: FetchLimits = {
  timeoutMs: 20_000,
  maxBytes: 16 * 2 ** 20,
  maxRedirects: 5,
  retries: 2,
  perHost: 6,
  perSecond: 30,
}

/** Open the sources and what reads them. @throws {DocsError} */
async function openBackend(state: State, options: DocsOptions) {
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
      access.namedHosts.has(hostKey(url)) || headersFor(headers, url.href) !== undefined,
    offline,
    isSearchOff: options.siteSearch === false,
  })
  const store = await state.pages()
  const packs = await openPacks(sources)
  const cleaner = new CleanPool(options.parser)
  const reader = new PageReader({
    access,
    client,
    cleaner,
    store,
    packs: packs.map(({ path, store: pages }) => ({ name: basename(path), store: pages })),
    readsHtml: (url) => siteAt(url, settings)?.adapter.readsHtml === true,
    maxBytes: limits.maxBytes,
    offline,
  })
  const closing = new AbortController()
  const indexes = createSourceIndexes({
    sources,
    sites,
    reader,
    lister: new SourceLister({ client, front, sites, cleaner, maxPages }),
    maxPages,
    indexOf: async (source) =>
      packs.find(({ path }) => source.kind === 'pack' && path === source.path)?.index ??
      state.indexOf(indexName(source, access), source.kind === 'site'),
    offline,
    closed: closing.signal,
  })

  return {
    reader,
    store,
    indexes,
    sites,
    settings,
    /** Close connections and stop indexing. What was read so far is stored. */
    async close(): Promise<void> {
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
