import { LRUCache } from 'lru-cache'
import robotsParser, { type Robot } from 'robots-parser'
import { decodeHtml } from './decode-html.ts'
import type { HttpClient } from './undici-client.ts'

export interface Robots {
  isAllowed(url: string): Promise<boolean>
  /** Milliseconds to wait between pages; 0 if the site does not specify it. */
  delayOf(url: string): Promise<number>
}

/** Its types declare an ES module, but it is CommonJS. */
const parse = robotsParser as unknown as (url: string, text: string) => Robot

const agent = 'pith-docs'
const maxDelayMs = 10_000
const maxBytes = 512 * 2 ** 10
const maxHosts = 500

/**
 * The rules of robots.txt. They apply when the indexer crawls, not when a caller reads a page by
 * its URL.
 */
export function createRobots(client: HttpClient): Robots {
  /** By origin; a missing or unreadable robots.txt allows everything. */
  const rules = new LRUCache<string, Robot>({
    max: maxHosts,
    fetchMethod: async (origin) => {
      const url = `${origin}/robots.txt`
      const found = await client
        .request(url, { accept: 'text/plain', maxBytes })
        .catch(() => undefined)
      const isText = found && (found.type === 'text/plain' || found.type === '')
      return parse(url, isText ? decodeHtml(found.bytes, found.charset ?? 'utf-8') : '')
    },
  })
  const rulesOf = (url: string): Promise<Robot> => rules.forceFetch(new URL(url).origin)

  return {
    async isAllowed(url) {
      return (await rulesOf(url)).isAllowed(url, agent) !== false
    },
    async delayOf(url) {
      const seconds = (await rulesOf(url)).getCrawlDelay(agent) ?? 0
      return Math.min(maxDelayMs, seconds * 1000)
    },
  }
}
