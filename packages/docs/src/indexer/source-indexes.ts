import { DocsError } from '../common/docs-error.ts'
import { type Location, parseLocation } from '../common/parse-location.ts'
import { quoteValue } from '../common/quote-value.ts'
import type { HttpClient } from '../fetch/http-client.ts'
import type { FrontReader } from '../fetch/read-front.ts'
import { createRobots } from '../fetch/robots.ts'
import type { ApartCleaner } from '../page/clean-apart.ts'
import type { ReadPage } from '../page/page-reader.ts'
import type { DocsSource } from '../page-listing/docs-source.ts'
import { listedMsOf, listFiles } from '../page-listing/list-files.ts'
import { listSite } from '../page-listing/list-site.ts'
import type { Listing } from '../page-listing/listing.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { OpenSite, Sites } from '../site-search/open-sites.ts'
import { createSourceIndex, type SourceIndex } from './source-index.ts'

export interface SourceIndexesOptions {
  sources: readonly DocsSource[]
  client: HttpClient
  front: FrontReader
  sites: Sites
  cleaner: ApartCleaner
  read: (location: Location) => Promise<ReadPage>
  nameOf: (location: Location) => string
  indexOf: (source: DocsSource) => Promise<SearchIndex>
  mostPages: number
  offline: boolean
  closed: AbortSignal
}

export interface OpenIndex extends SourceIndex {
  source: DocsSource
  /** The site's own search, if it has one. */
  site(): Promise<OpenSite | undefined>
  /** It did not answer: look again for it. */
  forgetSite(): Promise<void>
}

export interface SourceIndexes {
  /** Those of all sources, or of the ones a caller names: by name, a part of it, or a URL. */
  open(name?: string): Promise<OpenIndex[]>
  /** Those that are open already. */
  opened(): Promise<OpenIndex[]>
}

/** No search takes longer. */
const closeAfterMs = 10 * 60_000

async function closeIdle({ idle, index }: OpenIndex): Promise<void> {
  await idle()
  index.close()
}

/** Sites that callers name beside the sources; the ones named first are forgotten. */
const mostOthers = 8

export function createSourceIndexes(options: SourceIndexesOptions): SourceIndexes {
  const { sources, client, front, sites, closed } = options
  const indexes = new Map<string, Promise<OpenIndex>>()
  const robots = createRobots(client)
  const holder = `${process.pid}-${Math.random().toString(36).slice(2)}`

  return {
    async open(name) {
      const named = name === undefined ? sources : await sourcesNamed(name.trim())
      return Promise.all(named.map(openOne))
    },
    opened: () => Promise.all(indexes.values()),
  }

  function openOne(source: DocsSource): Promise<OpenIndex> {
    const known = indexes.get(source.name)
    if (known) return known
    const opening = createOne(source)
    indexes.set(source.name, opening)
    opening.catch(() => indexes.delete(source.name))
    return opening
  }

  async function createOne(source: DocsSource): Promise<OpenIndex> {
    const index = createSourceIndex({
      index: await options.indexOf(source),
      list: (signal) => listOf(source, signal),
      read: options.read,
      nameOf: options.nameOf,
      listedMs: (rung) => (options.offline ? Number.POSITIVE_INFINITY : listedMsOf(source, rung)),
      holder,
      closed,
    })
    return {
      source,
      ...index,
      site: async () => (source.kind === 'site' ? sites.of(source.url, index.index) : undefined),
      forgetSite: async () => {
        if (source.kind === 'site') await sites.forget(source.url, index.index)
      },
    }
  }

  async function listOf(source: DocsSource, signal: AbortSignal): Promise<Listing> {
    const { cleaner, mostPages } = options
    if (source.kind === 'pack') return { rung: 'pack', entries: [], more: false }
    if (source.kind !== 'site') return listFiles(source, mostPages)
    const site = sites.at(source.url)?.site
    return listSite(source.url, { client, front, site, cleaner, robots, mostPages, signal })
  }

  async function sourcesNamed(name: string): Promise<DocsSource[]> {
    const exact = sources.filter((source) => source.name === name)
    if (exact.length > 0) return exact
    const ofSite = sources.filter(
      (source) => source.kind === 'site' && sites.at(source.url)?.adapter.name === name,
    )
    if (ofSite.length > 0) return ofSite
    const lower = name.toLowerCase()
    const alike = sources.filter((source) => source.name.toLowerCase().includes(lower))
    if (alike.length > 0) return alike
    if (/^https?:/i.test(name)) {
      const location = parseLocation(name)
      if (location.kind === 'web') return [await otherSite(location.url)]
    }
    throw new DocsError(
      'bad_argument',
      `There is no source ${quoteValue(name)}.`,
      sources.length > 0
        ? `Sources: ${sources
            .slice(0, 20)
            .map((source) => source.name)
            .join(', ')}. Or pass the URL of a documentation site.`
        : 'Pass the URL of a documentation site.',
    )
  }

  async function otherSite(url: string): Promise<DocsSource> {
    const others = [...indexes.keys()].filter(
      (name) => name !== url && !sources.some((source) => source.name === name),
    )
    const [oldest] = others
    if (others.length >= mostOthers && oldest !== undefined) {
      const closing = indexes.get(oldest)
      indexes.delete(oldest)
      // Not at once: a search may still be looking into it.
      setTimeout(() => void closing?.then(closeIdle).catch(() => {}), closeAfterMs).unref()
    }
    return { kind: 'site', name: url, url }
  }
}
