import { LRUCache } from 'lru-cache'
import { DocsError } from '#formats/docs-error'
import type { HttpClient, HttpResponse } from './http-client.ts'
import { requestPage } from './request-page.ts'

/** In bytes. A source may also name a sitemap or an index, which may be larger than a page. */
const maxBytes = 64 * 2 ** 20
/** Milliseconds for which several readers of the same front page share one response. */
const cacheMs = 30_000

/** Fetches the page that a source names; undefined if the site answers that it does not exist. */
export type FrontPageReader = (source: string) => Promise<HttpResponse | undefined>

/** An unreachable site is an error: it must not be taken for a site without pages. */
export function createFrontPageReader(client: HttpClient): FrontPageReader {
  const fronts = new LRUCache<string, { response: HttpResponse | undefined }>({
    max: 4,
    ttl: cacheMs,
    fetchMethod: async (source) => {
      try {
        return { response: await requestPage(client, source, { accept: '*/*', maxBytes }) }
      } catch (error) {
        if (error instanceof DocsError && error.code === 'not_found') return { response: undefined }
        throw error
      }
    },
  })
  return async (source) => (await fronts.fetch(source))?.response
}
