import { LRUCache } from 'lru-cache'
import { decodeHtml } from '../../fetch/decode-html.ts'
import type { HttpClient } from '../../fetch/undici-client.ts'
import { unexpected } from '../port/json.ts'

/** The build id in the URLs of a Next.js site. */
export interface BuildId {
  get(): Promise<string>
  /** The current id of the site, after it rejected `stale`. */
  renew(stale: string): Promise<string>
}

const cacheMs = 60 * 60_000
/** Minimum milliseconds between renewals. */
const renewMs = 10_000

/**
 * Reads the id from the first page and caches it for an hour. Concurrent callers share one request.
 */
export function createBuildId(client: HttpClient, home: string): BuildId {
  let renewedAt = Number.NEGATIVE_INFINITY
  const ids = new LRUCache<string, string>({
    max: 1,
    ttl: cacheMs,
    fetchMethod: async () => {
      const { bytes, charset, url } = await client.request(home)
      const found = /"buildId":"([\w.~-]{1,100})"/.exec(decodeHtml(bytes, charset))?.[1]
      if (found === undefined) throw unexpected(url, 'contains no build id')
      return found
    },
  })
  const get = (): Promise<string> => ids.forceFetch(home)

  return {
    get,
    async renew(stale) {
      if ((await get()) === stale && performance.now() - renewedAt > renewMs) {
        renewedAt = performance.now()
        ids.clear()
      }
      return get()
    },
  }
}
