import { LRUCache } from 'lru-cache'
import robotsParser, { type Robot } from 'robots-parser'
import { DocsError } from '#formats/docs-error'
import { decodeHtml } from './decode-html.ts'
import type { HttpClient, HttpResponse } from './http-client.ts'

/** Its types declare an ES module, but it is CommonJS. */
const parse = robotsParser as unknown as (url: string, text: string) => Robot

const agent = 'pith-docs'
const maxDelayMs = 10_000
const maxBytes = 512 * 2 ** 10
const maxHosts = 500
/** Milliseconds until a robots.txt that a server failed to send is requested again. */
export const failedMs: number = 5 * 60_000

/**
 * The rules of robots.txt. They apply when the indexer crawls, not when a caller reads a page by
 * its URL.
 */
export class Robots {
  /**
   * By origin. A missing robots.txt allows everything; one that the server fails to send forbids
   * everything meanwhile (RFC 9309, 2.3.1.4).
   */
  readonly #rules: LRUCache<string, Robot & { hasFailed?: boolean }>

  constructor(client: HttpClient) {
    this.#rules = new LRUCache<string, Robot>({
      max: maxHosts,
      fetchMethod: async (origin, _stale, { options: entry }) => {
        const url = `${origin}/robots.txt`
        const options = { accept: 'text/plain', maxBytes }
        const outcome = await client.request(url, options).catch((error: unknown) => error)
        if (isServerError(outcome)) {
          entry.ttl = failedMs
          const forbidden = parse(url, 'User-agent: *\nDisallow: /')
          return Object.assign(forbidden, { hasFailed: true })
        }
        const { type, bytes, charset = 'utf-8' } = outcome as Partial<HttpResponse>
        const isText = bytes && (type === 'text/plain' || type === '')
        return parse(url, isText ? decodeHtml(bytes, charset) : '')
      },
    })
  }

  /** True while the server fails to send the robots.txt of a URL. */
  async hasFailed(url: string): Promise<boolean> {
    return (await this.#rules.forceFetch(new URL(url).origin)).hasFailed === true
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

/** An error of the server or the network: what robots.txt says is unknown. */
const isServerError = (error: unknown): boolean =>
  error instanceof DocsError &&
  (error.code === 'timeout' ||
    (error.code === 'unreachable' && (error.status === undefined || error.status >= 500)))
