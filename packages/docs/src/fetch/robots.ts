import robotsParser, { type Robot } from 'robots-parser'
import { decodeHtml } from './decode-html.ts'
import type { HttpClient } from './http-client.ts'

export interface Robots {
  isAllowed(url: string): Promise<boolean>
  /** Milliseconds to leave between pages; 0 if the site does not say. */
  delayOf(url: string): Promise<number>
}

type Rules = Promise<Robot>

/** Its types take it for a module of the other kind. */
const parse = robotsParser as unknown as (url: string, text: string) => Robot

const agent = 'pith-docs'
const longestDelayMs = 10_000
const mostBytes = 512 * 2 ** 10

/** What sites let programs read when nobody asked for a page in particular. */
export function createRobots(client: HttpClient): Robots {
  const hosts = new Map<string, Rules>()

  return {
    async isAllowed(url) {
      return (await rulesOf(url)).isAllowed(url, agent) !== false
    },
    async delayOf(url) {
      const seconds = (await rulesOf(url)).getCrawlDelay(agent) ?? 0
      return Math.min(longestDelayMs, seconds * 1000)
    },
  }

  function rulesOf(url: string): Rules {
    const { origin } = new URL(url)
    const known = hosts.get(origin) ?? load(`${origin}/robots.txt`)
    hosts.set(origin, known)
    return known
  }

  /** A site without the file allows all; so does one whose file cannot be had. */
  async function load(url: string): Rules {
    const found = await client
      .get(url, { accept: 'text/plain', maxBytes: mostBytes })
      .catch(() => undefined)
    const isText = found && (found.type === 'text/plain' || found.type === '')
    return parse(url, isText ? decodeHtml(found.bytes, found.charset ?? 'utf-8') : '')
  }
}
