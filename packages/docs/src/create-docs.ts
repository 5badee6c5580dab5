import { basename } from 'node:path'
import { createMeaning } from '@pith-mcp/scorer'
import { type Access, hostKey, parseNetwork } from '#fetch/access'
import { CookieFile } from '#fetch/cookie-file'
import { createFrontPageReader } from '#fetch/front-page'
import { type FetchLimits, HttpClient, headersFor } from '#fetch/http-client'
import { openLibraries } from '#installed/libraries/open-libraries'
import { createRepositories } from '#installed/repositories/create-repositories'
import { createSites } from '#sites/site-search/open-sites'
import { addressesOf, parseSiteSettings, siteAt } from '#sites/site-search/site-settings'
import { answersFrom, type Docs, type DocsOptions } from './docs.ts'
import { openState, type State } from './indexer/open-state.ts'
import { openPacks } from './indexer/pack-file.ts'
import { createSourceIndexes } from './indexer/source-indexes.ts'
import { pagesOfIdentity } from './page/cache/pages-of-identity.ts'
import { CleanPool } from './page/clean-pool.ts'
import { PageReader } from './page/page-reader.ts'
import type { DocsSource } from './page-listing/docs-source.ts'
import { openSources } from './page-listing/open-sources.ts'
import { SourceLister } from './page-listing/source-lister.ts'

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
  const { close, ...opened } = await openBackend(state, options).catch(async (error) => {
    await state.close()
    throw error
  })
  const byMeaning = embeddings && !options.offline ? createMeaning(embeddings, onNotice) : undefined
  return { ...answersFrom({ ...opened, cap, waitMs, byMeaning }), close }
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
  const allPages = await state.pages()
  const repositories = createRepositories({
    client: () => client,
    api: options.githubApi ?? 'https://api.github.com',
    store: allPages,
    archives: state.archives,
    maxBytes: limits.maxBytes,
  })
  const { sources, access } = await openOwnSources(options, state, repositories, settings)
  const cookies = await openCookies(options)
  const identity = cookies && (async () => (await cookies.read()).identity)
  const client = new HttpClient({ access, limits, proxy, headers, cookies, offline, userAgent })
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
  const store = identity ? pagesOfIdentity(allPages, identity) : allPages
  const packs = await openPacks(sources)
  const cleaner = new CleanPool(options.parser)
  const libraries = options.project && openLibraries({ ...options.project, maxPages })
  const reader = new PageReader({
    access,
    client,
    cleaner,
    store,
    packs: packs.map(({ path, store: pages }) => ({ name: basename(path), store: pages })),
    libraries,
    repositories,
    identity,
    readsHtml: (url) => siteAt(url, settings)?.adapter.readsHtml === true,
    maxBytes: limits.maxBytes,
    offline,
  })
  const lister = new SourceLister({ client, front, sites, cleaner, maxPages })
  const closing = new AbortController()
  const indexes = createSourceIndexes({
    sources,
    libraries,
    repositories,
    sites,
    reader,
    lister,
    maxPages,
    indexOf: async (source) =>
      packs.find(({ path }) => source.kind === 'pack' && path === source.path)?.index ??
      state.indexOf(indexName(source, access, await identity?.()), source.kind === 'site'),
    offline,
    closed: closing.signal,
  })

  return {
    client,
    lister,
    reader,
    store,
    indexes,
    libraries,
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

const openOwnSources = (
  { sources = [], networks = [], only = [] }: DocsOptions,
  { archives }: State,
  { sourceAt, hosts }: ReturnType<typeof createRepositories>,
  settings: Parameters<typeof siteAt>[1],
): ReturnType<typeof openSources> =>
  openSources(sources, {
    networks: networks.map(parseNetwork),
    only,
    unpackInto: archives,
    repositoryAt: sourceAt,
    addressesAt: (url) => (sourceAt(url) ? hosts : searchAddresses(url, settings)),
  })

async function openCookies({ cookies, onNotice }: DocsOptions): Promise<CookieFile | undefined> {
  if (cookies === undefined) return undefined
  const file = new CookieFile(cookies)
  const { malformed, more } = await file.read()
  if (malformed > 0) onNotice?.(`Lines of the cookie file that are no cookies: ${malformed}.`)
  if (more > 0) onNotice?.(`Cookies of the file past the limit, not used: ${more}.`)
  return file
}

function searchAddresses(url: string, settings: Parameters<typeof siteAt>[1]): URL[] {
  const choice = siteAt(url, settings)
  return choice ? addressesOf(choice) : []
}

/** Names the index of a source among those in the cache folder. */
function indexName(source: DocsSource, { roots }: Access, identity: string | undefined): string {
  if (source.kind === 'site') return identity ? `${source.url}#${identity}` : source.url
  if (source.kind === 'library') return `library\n${source.id}`
  // Pages are named relative to the roots, so the same folder among other roots may have other
  // names.
  return [source.path, ...(roots.length > 1 ? roots : [])].join('\n')
}
