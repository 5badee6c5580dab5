import type { FrontPageReader } from '../fetch/front-page.ts'
import type { HttpClient } from '../fetch/http-client.ts'
import { createRobots } from '../fetch/robots.ts'
import type { CleanPool } from '../page/clean-pool.ts'
import type { Sites } from '../site-search/open-sites.ts'
import type { DocsSource } from './docs-source.ts'
import { listFiles } from './list-files.ts'
import { listSite } from './list-site.ts'
import type { Listing } from './listing.ts'

/** Lists the pages of a source; ends early with the pages so far when the signal aborts. */
export type SourceLister = (source: DocsSource, signal: AbortSignal) => Promise<Listing>

export interface SourceListerOptions {
  client: HttpClient
  front: FrontPageReader
  sites: Sites
  cleaner: CleanPool
  maxPages: number
}

export function createSourceLister(options: SourceListerOptions): SourceLister {
  const { client, front, sites, cleaner, maxPages } = options
  const robots = createRobots(client)
  return async (source, signal) => {
    if (source.kind === 'pack') return { via: 'pack', entries: [], more: false }
    if (source.kind !== 'site') return listFiles(source, maxPages)
    const site = sites.at(source.url)?.site
    return listSite(source.url, { client, front, site, cleaner, robots, maxPages, signal })
  }
}
