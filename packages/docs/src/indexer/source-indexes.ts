import { parseLocation } from '#fetch/protocol/parse-location'
import { DocsError, quoteValue } from '#formats/docs-error'
import type { Libraries } from '#installed/libraries/open-libraries'
import type { Repositories } from '#installed/repositories/create-repositories'
import type { DocsSource } from '../page-listing/docs-source.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { SourceIndexOptions } from './source-index.ts'
import { SourceIndexer } from './source-indexer.ts'

export interface SourceIndexesOptions
  extends Omit<SourceIndexOptions, 'source' | 'index' | 'holder'> {
  sources: readonly DocsSource[]
  /** Sources by the names of what a project has installed. */
  libraries: Libraries | undefined
  repositories: Repositories
  indexOf: (source: DocsSource) => Promise<SearchIndex>
}

export type SourceIndexes = ReturnType<typeof createSourceIndexes>

/** Milliseconds before a replaced index is closed: longer than any search takes. */
const closeAfterMs = 10 * 60_000

/** Sites that callers name in addition to the sources; the oldest are closed first. */
const maxOthers = 8

export function createSourceIndexes(options: SourceIndexesOptions) {
  const { libraries, repositories: _, indexOf, ...shared } = options
  const sources = [...options.sources, ...(libraries ? [libraries.all] : [])]
  const indexes = new Map<string, Promise<SourceIndexer>>()
  const holder = `${process.pid}-${Math.random().toString(36).slice(2)}`

  return {
    /** Indexes of all sources, or of those that match a name, a part of it, or a URL. */
    async open(name?: string): Promise<SourceIndexer[]> {
      const hits = name === undefined ? sources : await sourcesNamed(name.trim(), sources, options)
      for (const source of hits) if (!sources.includes(source)) makeRoomFor(source)
      return Promise.all(hits.map(openOne))
    },
    opened: (): Promise<SourceIndexer[]> => Promise.all(indexes.values()),
  }

  function openOne(source: DocsSource): Promise<SourceIndexer> {
    const cachedIndexer = indexes.get(source.name)
    if (cachedIndexer) return cachedIndexer
    const opening = indexOf(source).then(
      (index) => new SourceIndexer({ ...shared, source, index, holder }),
    )
    indexes.set(source.name, opening)
    opening.catch(() => indexes.delete(source.name))
    return opening
  }

  /** Removes the oldest of the other sites for a new one. */
  function makeRoomFor(site: DocsSource): void {
    const otherNames = [...indexes.keys()].filter(
      (name) => name !== site.name && !sources.some((source) => source.name === name),
    )
    const [oldest] = otherNames
    if (otherNames.length < maxOthers || oldest === undefined) return
    const closing = indexes.get(oldest)
    indexes.delete(oldest)
    // A search may still use the index.
    const close = async (): Promise<void> => {
      const indexer = await closing
      await indexer?.idle()
      indexer?.index.close()
    }
    setTimeout(() => void close().catch(() => {}), closeAfterMs).unref()
  }
}

/**
 * The configured sources with a name, of a site or service with the name, or whose names contain
 * it; otherwise the site or repository at a URL, which need not be configured, an installed library,
 * or its repository (`repository:zod`).
 *
 * @throws {DocsError} `bad_argument` for a name that is neither, `not_found` for a library.
 */
async function sourcesNamed(
  name: string,
  sources: readonly DocsSource[],
  { sites, libraries, repositories }: Omit<SourceIndexesOptions, 'sources' | 'indexOf'>,
): Promise<DocsSource[]> {
  const exact = sources.filter((source) => source.name === name)
  if (exact.length > 0) return exact
  const ofSite = sources.filter(
    (source) => source.kind === 'site' && sites.at(source.url)?.adapter.name === name,
  )
  if (ofSite.length > 0) return ofSite
  const lower = name.toLowerCase()
  const alike = sources.filter(
    (source) => source !== libraries?.all && source.name.toLowerCase().includes(lower),
  )
  if (alike.length > 0) return alike
  if (/^https?:/i.test(name)) {
    const location = parseLocation(name)
    if (location.kind === 'web') {
      const { url } = location
      return [repositories.sourceAt(url) ?? { kind: 'site', name: url, url }]
    }
  }
  const [, library] = /^repository:(.+)$/s.exec(name) ?? []
  if (libraries && library !== undefined)
    return [repositories.repositoryDocs(await libraries.repositoryOf(library.trim()))]
  if (libraries) return [await libraries.sourceOf(name)]
  throw new DocsError(
    'bad_argument',
    `There is no source named ${quoteValue(name)}.`,
    sources.length > 0
      ? `Sources: ${sources
          .slice(0, 20)
          .map((source) => source.name)
          .join(', ')}. Or pass the URL of a documentation site.`
      : 'Pass the URL of a documentation site.',
  )
}
