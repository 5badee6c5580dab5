import { LRUCache } from 'lru-cache'
import robotsParser, { type Robot } from 'robots-parser'
import { decodeHtml } from './decode-html.ts'
import type { HttpClient } from './http-client.ts'

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
export class Robots {
  /** By origin; a missing or unreadable robots.txt allows everything. */
  readonly #rules: LRUCache<string, Robot>

  constructor(client: HttpClient) {
    this.#rules = new LRUCache<string, Robot>({
      max: maxHosts,
      fetchMethod: async (origin) => {
        const url = `${origin}/robots.txt`
        const options = { accept: 'text/plain', maxBytes }
        const found = await client.request(url, options).catch(() => undefined)
        const isText = found && (found.type === 'text/plain' || found.type === '')
        return parse(url, isText ? decodeHtml(found.bytes, found.charset ?? 'utf-8') : '')
      },
    })
  }

  async isAllowed(url: string): Promise<boolean> {
    return (await this.#rules.forceFetch(new URL(url).origin)).isAllowed(url, agent) !== false
  }

  /** Milliseconds to wait between pages; 0 if the site does not specify it. */
  async delayOf(url: string): Promise<number> {
    const rules = await this.#rules.forceFetch(new URL(url).origin)
    return Math.min(maxDelayMs, (rules.getCrawlDelay(agent) ?? 0) * 1000)
  }
}
