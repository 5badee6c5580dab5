import { createMeaning, createOpenAiEmbedder } from '@pith-mcp/scorer'
import type { Docs, DocsOptions } from './docs.ts'
import { openBackend } from './open-backend.ts'
import { readContent } from './questions/content.ts'
import { readContents } from './questions/contents.ts'
import { describe } from './questions/describe.ts'
import { find } from './questions/find.ts'
import { pagesLike } from './questions/pages-like.ts'
import { querySiteSearch } from './questions/query-site-search.ts'
import { recommend } from './questions/recommend.ts'
import { findRelated } from './questions/related.ts'
import { search } from './questions/search.ts'
import { searchTable } from './questions/search-table.ts'
import { readSection } from './questions/section.ts'
import { sectionIds } from './questions/section-ids.ts'
import { readSections } from './questions/sections.ts'
import { readToc } from './questions/toc.ts'
import { update } from './questions/update.ts'
import { writePack } from './questions/write-pack.ts'
import { adapterNamed, optionsOf } from './site-search/site-settings.ts'

/**
 * Open the sources and return the functions that read and search them.
 *
 * @throws {DocsError} if a source does not exist, or an option is invalid.
 */
export async function createDocs(options: DocsOptions = {}): Promise<Docs> {
  const { cap = 20_000, searchWaitMs: waitMs = 20_000 } = options
  const { reader, store, indexes, sites, settings, close } = await openBackend(options)
  const page = { reader, store, cap }
  const source = { indexes, sites, reader, waitMs, byMeaning: meaningOf(options) }

  return {
    search: (query, searchOptions) => search(source, query, searchOptions),
    update: (updateOptions) => update(indexes, updateOptions),
    pagesLike: (text, limit) => pagesLike(indexes, text, limit),
    writePack: (path, packOptions) => writePack(source, path, packOptions),

    find: (url, query, findOptions) => find(page, url, query, findOptions),
    searchTable: (url, query, tableOptions) => searchTable(page, url, query, tableOptions),
    toc: (url, tocOptions) => readToc(page, url, tocOptions),
    section: (url, name, readOptions) => readSection(page, url, name, readOptions),
    sections: (url, names, readOptions) => readSections(page, url, names, readOptions),
    content: (url, readOptions) => readContent(page, url, readOptions),
    sectionIds: (url) => sectionIds(reader, url),
    related: (url, name, callOptions) => findRelated(source, url, name, callOptions),

    querySiteSearch: (name, query, siteQuery) => querySiteSearch(source, name, query, siteQuery),
    describe: (name) => describe(source, name),
    recommend: (url, callOptions) => recommend(sites, url, callOptions),
    isContents: (url) => sites.at(url)?.site.isContents?.(url) ?? false,
    contents: (url, guideOptions) => readContents(sites, url, guideOptions),
    siteOptions: (name) => optionsOf(adapterNamed(name), settings),
    close,
  }
}

function meaningOf({ embeddings, offline, onNotice = () => {} }: DocsOptions) {
  if (!embeddings || offline) return undefined
  const { model, weight } = embeddings
  const embed = createOpenAiEmbedder(embeddings)
  return { meaning: createMeaning({ embed, model, onLog: onNotice }), model, weight }
}
