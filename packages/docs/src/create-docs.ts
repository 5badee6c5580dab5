import { type Page, subtreeOf } from '@pith-mcp/cleaner'
import type { Docs, DocsOptions } from './docs.ts'
import { hostKey, parseNetwork } from './fetch/access.ts'
import { createFrontPageReader } from './fetch/front-page.ts'
import { createHttpClient, type FetchLimits, headersFor } from './fetch/http-client.ts'
import { openPacks } from './indexer/open-packs.ts'
import { openState, type State } from './indexer/open-state.ts'
import { createSourceIndexes } from './indexer/source-indexes.ts'
import { writePack } from './indexer/write-pack.ts'
import { createCleanPool } from './page/clean-pool.ts'
import { createPageReader, type ReadPage } from './page/page-reader.ts'
import type { DocsSource } from './page-listing/docs-source.ts'
import { openSources } from './page-listing/open-sources.ts'
import { DocsError } from './protocol/docs-error.ts'
import { parseLocation } from './protocol/parse-location.ts'
import { changesOf, type KeyedPage, recordRead } from './questions/changes.ts'
import { checkQuery } from './questions/check-query.ts'
import { createSource, readExcerpt } from './questions/excerpt.ts'
import { findInPage } from './questions/find.ts'
import { countMissing, isMarkdown, pickPage } from './questions/pick-section.ts'
import { readSections } from './questions/read-sections.ts'
import { relatedOf } from './questions/related.ts'
import { searchIn } from './questions/search-index.ts'
import { searchedSource } from './questions/search-indexes.ts'
import { searchSources } from './questions/search-sources.ts'
import { searchTable } from './questions/search-table.ts'
import { siblingsOf } from './questions/siblings.ts'
import { createSiteQuestions } from './questions/site-questions.ts'
import { tocOf } from './questions/toc.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import { createSites } from './site-search/open-sites.ts'
import { addressesOf, parseSiteSettings, siteAt } from './site-search/site-settings.ts'

const defaultLimits: FetchLimits = {
  timeoutMs: 20_000,
  maxBytes: 16 * 2 ** 20,
  maxRedirects: 5,
  retries: 2,
  perHost: 6,
  perSecond: 30,
}

/**
 * Open the sources and return the functions that read and search them.
 *
 * @throws {DocsError} if a source does not exist, or an option is invalid.
 */
export async function createDocs(options: DocsOptions = {}): Promise<Docs> {
  const state = await openState({
    folder: options.cacheFolder,
    maxBytes: options.maxCacheBytes,
    onNotice: options.onNotice ?? (() => {}),
  })
  try {
    return await createDocsOver(state, options)
  } catch (error) {
    await state.close()
    throw error
  }
}

async function createDocsOver(state: State, options: DocsOptions): Promise<Docs> {
  const { cap = 20_000, maxPages = 2_000, offline = false, searchWaitMs = 20_000 } = options
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
  const client = createHttpClient({
    access,
    limits,
    proxy: options.proxy,
    headers: options.headers,
    offline,
    userAgent: options.userAgent,
  })
  const front = createFrontPageReader(client)
  const isNamed = (url: URL): boolean =>
    access.namedHosts.has(hostKey(url.hostname, url.port, url.protocol)) ||
    headersFor(options.headers ?? {}, url.href) !== undefined
  const isSearchOff = options.siteSearch === false
  const sites = createSites({ client, settings, front, isNamed, offline, isSearchOff })
  const store = await state.pages()
  const packs = await openPacks(sources)
  const cleaner = createCleanPool()
  const reader = createPageReader({
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
    client,
    front,
    sites,
    cleaner,
    read: (location) => reader.read(location, { once: true }),
    nameOf: (location) => reader.nameOf(location),
    indexOf,
    maxPages,
    offline,
    closed: closing.signal,
  })

  return {
    ...createSiteQuestions(indexes, sites, settings),
    async search(query, searchOptions = {}) {
      checkQuery(query)
      const { source, ...others } = searchOptions
      if (source === undefined && sources.length === 0) throw noSource()
      const opened = await indexes.open(source)
      const call = { waitMs: searchWaitMs, ...others }
      return searchSources(opened, query, call, async (url) => (await open(url)).page)
    },
    async find(url, query, findOptions = {}) {
      const { key, page, origin } = await open(url)
      const found = findInPage(page, query, findOptions, cap)
      await recordReturned({ key, page }, found.sections)
      return { ...found, origin }
    },
    async searchTable(url, query, tableOptions = {}) {
      const { page, origin, section } = await openSection(url, tableOptions.section, true)
      return { ...searchTable(page, query, section, tableOptions, cap), origin }
    },
    async toc(url, { section: name, page: token } = {}) {
      const { key, page, origin, section } = await openSection(url, name, false)
      const changes = await changesOf({ key, page }, store)
      return { ...tocOf(page, section, token, changes.sections), removed: changes.removed, origin }
    },
    async section(url, name, readOptions = {}) {
      const { key, page, origin, section } = await openSection(url, name, true)
      if (!section) throw missingName(page)
      const within = subtreeOf(page, section)
      await recordRead({ key, page }, within, store)
      const { includeCodeBlocks = false } = readOptions
      const { tables } = readOptions
      const source = createSource(`${page.url}#${section.id}`, within, includeCodeBlocks, tables)
      return {
        url: page.url,
        title: page.title,
        section: { id: section.id, title: section.title || page.title },
        ...readExcerpt(source, readOptions, cap),
        origin,
      }
    },
    async sections(url, names, readOptions = {}) {
      const found = await open(url)
      const lacked = isMarkdown(found) ? countMissing(found.page, names) : 0
      const html =
        lacked > 0
          ? await reader.read(parseLocation(url), { asHtml: true }).catch(() => undefined)
          : undefined
      const { key, page, origin } = html && countMissing(html.page, names) < lacked ? html : found
      const read = readSections(page, names, readOptions, cap)
      await recordReturned({ key, page }, read.sections)
      return { ...read, origin }
    },
    async content(url, readOptions = {}) {
      const { key, page, origin } = await open(url)
      await recordRead({ key, page }, page.sections, store)
      const { includeCodeBlocks = false, tables } = readOptions
      const source = createSource(page.url, page.sections, includeCodeBlocks, tables)
      const excerpt = readExcerpt(source, readOptions, cap)
      return { url: page.url, title: page.title, ...excerpt, origin }
    },
    async related(url, name, { signal } = {}) {
      const { page, links, origin, section } = await openSection(url, name, true)
      const below = section && new Set(subtreeOf(page, section).map(({ id }) => id))
      const [similar, siblings] = await Promise.all([
        similarTo(page, section?.title || page.title),
        siblingsOf(page.url, sites, signal),
      ])
      return { ...relatedOf(page, await links(), below, similar, siblings), origin }
    },
    async update(updateOptions = {}) {
      const opened = await indexes.open(updateOptions.source)
      if (opened.length === 0) throw noSource()
      return Promise.all(
        opened.map(async ({ source, refresh, index }) => {
          const status = await refresh({ ...updateOptions, fresh: true })
          return searchedSource(source.name, status, await index.totals())
        }),
      )
    },
    async pagesLike(text, limit = 20) {
      const opened = await indexes.open()
      const lists = await Promise.all(opened.map(({ index }) => index.pagesLike(text, limit)))
      return lists.flat().slice(0, limit)
    },
    async sectionIds(url) {
      const { page } = await open(url)
      return page.sections.filter(({ kind }) => kind !== 'continuation').map(({ id }) => id)
    },
    async writePack(path, packOptions = {}) {
      if (sources.length === 0) throw noSource()
      return writePack(
        path,
        await indexes.open(),
        (location) => reader.read(location, { once: true }),
        packOptions,
      )
    },
    async close() {
      closing.abort()
      await client.close()
      for (const { idle } of await indexes.opened()) await idle()
      await cleaner.close()
      for (const pack of packs) pack.close()
      await state.close()
    },
  }

  async function open(url: string): Promise<ReadPage & { fragment: string | undefined }> {
    const location = parseLocation(url)
    return { ...(await reader.read(location)), fragment: location.fragment }
  }

  /** Returned sections, with all their subsections, count as read. */
  async function recordReturned({ key, page }: KeyedPage, sections: readonly { id: string }[]) {
    const ids = new Set(sections.map(({ id }) => id))
    const returned = page.sections.filter(({ id }) => ids.has(id))
    const within = returned.flatMap((section) => subtreeOf(page, section))
    await recordRead({ key, page }, within, store)
  }

  /**
   * The page and the named section, if any. Falls back to the HTML if the Markdown lacks the
   * section.
   */
  async function openSection(url: string, name: string | undefined, byFragment: boolean) {
    const location = parseLocation(url)
    const requested = name?.trim() || (byFragment ? location.fragment : undefined)
    const read = await reader.read(location)
    if (requested === undefined) return { ...read, section: undefined }
    return pickPage(read, requested, () => reader.read(location, { asHtml: true }))
  }

  async function similarTo(page: Page, title: string) {
    const opened = await indexes.opened()
    const named = opened.map(({ source, index }) => ({ name: source.name, index }))
    if (named.length === 0 || title.trim() === '') return []
    const { hits } = await searchIn(named, title, { maxResults: 6 })
    return hits
      .map((hit) => ({ url: hit.item.url, title: hit.title }))
      .filter(({ url }) => url !== page.url)
      .slice(0, 5)
  }

  async function indexOf(source: DocsSource): Promise<SearchIndex> {
    if (source.kind === 'pack') {
      const pack = packs.find(({ path }) => path === source.path)
      if (pack) return pack.index
    }
    if (source.kind === 'site') return state.indexOf(source.url)
    // Pages are named relative to the roots, so the same folder among other roots may have other
    // names.
    return state.indexOf([source.path, ...(access.roots.length > 1 ? access.roots : [])].join('\n'))
  }
}

function missingName(page: Page): DocsError {
  return new DocsError(
    'bad_argument',
    `No section of ${page.title ? `“${page.title}”` : 'the page'} was named.`,
    'Pass an id or title from the table of contents.',
  )
}

function noSource(): DocsError {
  return new DocsError(
    'no_source',
    'There is nothing to search: no source is configured.',
    'Pass the URL of a documentation site as `source`, or read a page by its URL.',
  )
}
