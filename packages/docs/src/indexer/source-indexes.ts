import type { PageReader } from '../page/page-reader.ts'
import type { DocsSource } from '../page-listing/docs-source.ts'
import type { SourceLister } from '../page-listing/list-source.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { Sites } from '../site-search/open-sites.ts'
import { SourceIndexer } from './source-indexer.ts'
import { sourcesNamed } from './sources-named.ts'

export interface SourceIndexesOptions {
  sources: readonly DocsSource[]
  sites: Sites
  reader: PageReader
  lister: SourceLister
  /** At most this many pages of a source are read in the background. */
  maxPages: number
  indexOf: (source: DocsSource) => Promise<SearchIndex>
  offline: boolean
  closed: AbortSignal
}

export interface SourceIndexes {
  /** Indexes of all sources, or of those that match a name, a part of it, or a URL. */
  open(name?: string): Promise<SourceIndexer[]>
  opened(): Promise<SourceIndexer[]>
}

/** Milliseconds before a replaced index is closed: longer than any search takes. */
const closeAfterMs = 10 * 60_000

async function closeIdle(indexer: SourceIndexer): Promise<void> {
  await indexer.idle()
  indexer.index.close()
}

/** Sites that callers name in addition to the sources; the oldest are closed first. */
const maxOthers = 8

export function createSourceIndexes(options: SourceIndexesOptions): SourceIndexes {
  const { sources, indexOf, ...shared } = options
  const indexes = new Map<string, Promise<SourceIndexer>>()
  const holder = `${process.pid}-${Math.random().toString(36).slice(2)}`

  return {
    async open(name) {
      const named = name === undefined ? sources : sourcesNamed(name.trim(), sources, options.sites)
      for (const source of named) if (!sources.includes(source)) makeRoomFor(source)
      return Promise.all(named.map(openOne))
    },
    opened: () => Promise.all(indexes.values()),
  }

  function openOne(source: DocsSource): Promise<SourceIndexer> {
    const known = indexes.get(source.name)
    if (known) return known
    const opening = indexOf(source).then(
      (index) => new SourceIndexer({ ...shared, source, index, holder }),
    )
    indexes.set(source.name, opening)
    opening.catch(() => indexes.delete(source.name))
    return opening
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
