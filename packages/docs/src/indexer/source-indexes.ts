import type { PageReader } from '../page/page-reader.ts'
import type { DocsSource } from '../page-listing/docs-source.ts'
import { listedMsOf } from '../page-listing/list-files.ts'
import type { SourceLister } from '../page-listing/list-source.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { OpenSite, Sites } from '../site-search/open-sites.ts'
import { SourceIndexer } from './source-indexer.ts'
import { sourcesNamed } from './sources-named.ts'

export interface SourceIndexesOptions {
  sources: readonly DocsSource[]
  sites: Sites
  reader: PageReader
  list: SourceLister
  /** At most this many pages of a source are read in the background. */
  maxPages: number
  indexOf: (source: DocsSource) => Promise<SearchIndex>
  offline: boolean
  closed: AbortSignal
}

export interface OpenIndex extends Pick<SourceIndexer, keyof SourceIndexer> {
  source: DocsSource
  /** The site's own search, if it has one. */
  site(): Promise<OpenSite | undefined>
  /** Detect the site's search again, after it did not answer. */
  forgetSite(): Promise<void>
}

export interface SourceIndexes {
  /** Indexes of all sources, or of those that match a name, a part of it, or a URL. */
  open(name?: string): Promise<OpenIndex[]>
  opened(): Promise<OpenIndex[]>
}

/** Milliseconds before a replaced index is closed: longer than any search takes. */
const closeAfterMs = 10 * 60_000

async function closeIdle({ idle, index }: OpenIndex): Promise<void> {
  await idle()
  index.close()
}

/** Sites that callers name in addition to the sources; the oldest are closed first. */
const maxOthers = 8

export function createSourceIndexes(options: SourceIndexesOptions): SourceIndexes {
  const { sources, sites, reader, list, maxPages, closed } = options
  const indexes = new Map<string, Promise<OpenIndex>>()
  const holder = `${process.pid}-${Math.random().toString(36).slice(2)}`

  return {
    async open(name) {
      const named = name === undefined ? sources : sourcesNamed(name.trim(), sources, sites)
      for (const source of named) if (!sources.includes(source)) makeRoomFor(source)
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
    const index = await options.indexOf(source)
    const indexer = new SourceIndexer({
      index,
      list: (signal) => list.list(source, signal),
      follower: list.follower,
      proposes: source.kind === 'site',
      maxPages,
      read: (location) => reader.read(location, { once: true }),
      nameOf: (location) => reader.nameOf(location),
      readFirst: async () =>
        source.kind === 'site' && reader.read({ kind: 'web', url: source.url }, { once: true }),
      listedMs: (via) => (options.offline ? Number.POSITIVE_INFINITY : listedMsOf(source, via)),
      holder,
      closed,
    })
    return {
      source,
      index,
      refresh: (refreshOptions) => indexer.refresh(refreshOptions),
      status: () => indexer.status(),
      hold: () => indexer.hold(),
      readNow: (urls, isAhead, ends) => indexer.readNow(urls, isAhead, ends),
      idle: () => indexer.idle(),
      site: async () => (source.kind === 'site' ? sites.of(source.url, index) : undefined),
      forgetSite: async () => {
        if (source.kind === 'site') await sites.forget(source.url, index)
      },
    }
  }

  /** Removes the oldest of the other sites for a new one. */
  function makeRoomFor(site: DocsSource): void {
    const others = [...indexes.keys()].filter(
      (name) => name !== site.name && !sources.some((source) => source.name === name),
    )
    const [oldest] = others
    if (others.length < maxOthers || oldest === undefined) return
    const closing = indexes.get(oldest)
    indexes.delete(oldest)
    // A search may still use the index.
    setTimeout(() => void closing?.then(closeIdle).catch(() => {}), closeAfterMs).unref()
  }
}
