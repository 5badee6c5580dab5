import type { FrontPageReader } from '../fetch/front-page.ts'
import { createRobots } from '../fetch/robots.ts'
import type { HttpClient } from '../fetch/undici-client.ts'
import type { CleanPool } from '../page/clean-pool.ts'
import type { Sites } from '../site-search/open-sites.ts'
import type { DocsSource } from './docs-source.ts'
import { LinkFollower } from './follow-links.ts'
import { listFiles } from './list-files.ts'
import { listSite } from './list-site.ts'
import type { Listing } from './listing.ts'

/** Lists the pages of a source, or follows their links. */
export interface SourceLister {
  list(source: DocsSource, signal: AbortSignal): Promise<Listing>
  follower: LinkFollower
}

export interface SourceListerOptions {
  client: HttpClient
  front: FrontPageReader
  sites: Sites
  cleaner: CleanPool
  maxPages: number
}

/** At most this many times as many pages are listed, to be found by name, as are read. */
export const listedPerRead = 10

export function createSourceLister(options: SourceListerOptions): SourceLister {
  const { client, front, sites, cleaner, maxPages } = options
  const robots = createRobots(client)
  const follower = new LinkFollower(robots)
  return {
    async list(source, signal) {
      if (source.kind === 'pack') return { via: 'pack', entries: [], more: false }
      if (source.kind !== 'site') return listFiles(source, maxPages)
      const site = sites.at(source.url)?.site
      const maxListed = maxPages * listedPerRead
      const found = { client, front, site, cleaner, robots, follower, maxListed, signal }
      return listSite(source.url, found)
    },
    follower,
  }
}
