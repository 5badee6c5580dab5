import { LRUCache } from 'lru-cache'
import { DocsError } from '../common/docs-error.ts'
import type { HttpClient, HttpResponse } from './http-client.ts'

/** Of lists and indexes, which a source may name too; they may be larger than a page. */
const mostBytes = 64 * 2 ** 20
/** Those who look at the same page one after the other share it. */
const keptMs = 30_000

/** Reads the page that a source names: undefined for a folder that has none. */
export type FrontReader = (source: string) => Promise<HttpResponse | undefined>

/**
 * A site that cannot be reached now has no pages to list, and that must not be taken for a site
 * without pages: that is thrown.
 */
export function createFrontReader(client: HttpClient): FrontReader {
  const fronts = new LRUCache<string, { response: HttpResponse | undefined }>({
    max: 4,
    ttl: keptMs,
    fetchMethod: async (source) => {
      try {
        return { response: await client.get(source, { accept: '*/*', maxBytes: mostBytes }) }
      } catch (error) {
        if (error instanceof DocsError && error.code === 'not_found') return { response: undefined }
        throw error
      }
    },
  })
  return async (source) => (await fronts.fetch(source))?.response
}
