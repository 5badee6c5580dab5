import { readFile, stat } from 'node:fs/promises'
import { createBoundedFetch } from '@pith-mcp/aggregator'
import { LRUCache } from 'lru-cache'
import { builtIn } from './built-in.ts'
import { type RegistryEntry, type RegistryPage, readReply } from './registry-entry.ts'

/** Of a file. */
const maxFileBytes = 20_000_000
/** Of a reply. */
const maxBytes = 4_000_000
/** Of one reply. The official registry may take 20 s. */
const timeoutMs = 30_000
const maxRedirects = 3
const pageSize = 50
const maxPages = 10
/** With a hit, no page is begun after this time; without one, none after `timeoutMs`. */
const enoughMs = 1_500

export interface RegistrySearch {
  /** All must occur in the name, title or description. Empty: only built-in servers. */
  words: readonly string[]
  limit: number
  isDeprecated: boolean
}

export interface RegistryHits {
  servers: RegistryEntry[]
  /** Deprecated ones that match and are left out. */
  hidden: number
  /** Entries that are not valid. */
  unread: number
  hasMore: boolean
  /** Why the registry could not be searched. */
  problem?: string | undefined
}

export type Registry = ReturnType<typeof createRegistry>

/**
 * A registry of MCP servers (API v0.1), or a file with what it lists, and the built-in servers.
 * Connects to private addresses only if `source` is one.
 */
export function createRegistry(source: string) {
  const load = /^https?:/i.test(source)
    ? requestFrom(source, createBoundedFetch({ serverUrl: source, maxBytes, timeoutMs }))
    : () => readPageFile(source)
  const pages = new LRUCache<string, Promise<RegistryPage | undefined>>({ max: 16, ttl: 300_000 })
  /** Hits, by name and version. */
  const hitCache = new LRUCache<string, RegistryEntry>({ max: 500, ttl: 300_000 })

  /** A page, or one server; undefined for 404. */
  function read(path: string): Promise<RegistryPage | undefined> {
    const page = pages.get(path) ?? load(path)
    pages.set(path, page, { noUpdateTTL: true })
    page.catch(() => pages.delete(path))
    return page
  }

  return {
    /**
     * Reads pages until there are `limit` hits, but with a hit it begins none after `enoughMs`: a longer search
     * goes on from what it read. A registry that fails is a `problem`.
     */
    async search({ words, limit, isDeprecated }: RegistrySearch): Promise<RegistryHits> {
      const isMatch = (entry: RegistryEntry): boolean => hasWords(entry, words)
      const hits = new Map(builtIn.filter(isMatch).map((entry) => [entry.name, entry]))
      const ownCount = hits.size
      const hidden = new Set<string>()
      let unread = 0
      // The registry looks for one text.
      const [search = ''] = words.toSorted((left, right) => right.length - left.length)
      const query = { search, version: 'latest', limit: String(pageSize) }
      let cursor = search === '' ? undefined : ''
      let problem: string | undefined
      const begun = performance.now()
      const isTimeUp = (): boolean =>
        performance.now() - begun > (hits.size > ownCount ? enoughMs : timeoutMs)
      try {
        for (
          let count = 0;
          cursor !== undefined && hits.size < limit && count < maxPages;
          count++
        ) {
          if (isTimeUp()) break
          const more = cursor && { cursor }
          const page = await read(`servers?${new URLSearchParams({ ...query, ...more })}`)
          if (page === undefined) throw new Error(`${source} does not serve the API v0.1`)
          cursor = page.next
          unread += page.unread
          for (const entry of page.entries.filter((entry) => entry.isLatest && isMatch(entry)))
            if (entry.status === 'deprecated' && !isDeprecated) hidden.add(entry.name)
            else if (entry.status !== 'deleted' && !hits.has(entry.name))
              hits.set(entry.name, entry)
        }
      } catch (error) {
        problem = (error as Error).message
      }
      for (const entry of hits.values()) hitCache.set(`${entry.name} ${entry.version}`, entry)
      return {
        servers: [...hits.values()].slice(0, limit),
        hidden: hidden.size,
        unread,
        hasMore: cursor !== undefined || hits.size > limit,
        problem,
      }
    },
    /** @throws {Error} if the registry fails */
    async get(name: string, version = 'latest'): Promise<RegistryEntry | undefined> {
      const hit = hitCache.get(`${name} ${version}`)
      if (hit !== undefined) return hit
      const isOwn = builtIn.some((entry) => entry.name === name)
      const path = [name, 'versions', version].map(encodeURIComponent).join('/')
      const page = isOwn ? { entries: builtIn } : await read(`servers/${path}`)
      return page?.entries.find(
        (entry) =>
          entry.name === name &&
          entry.status !== 'deleted' &&
          (version === 'latest' ? entry.isLatest : entry.version === version),
      )
    },
  }
}

function hasWords({ name, title, description }: RegistryEntry, words: readonly string[]): boolean {
  const text = [name, title, description].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

async function readPageFile(path: string): Promise<RegistryPage> {
  const { size } = await stat(path)
  if (size > maxFileBytes) throw new Error(`${path} has more than ${maxFileBytes / 1e6} MB`)
  return parsed(await readFile(path, 'utf8'), path)
}

const requestFrom =
  (source: string, fetch: ReturnType<typeof createBoundedFetch>) =>
  async (path: string): Promise<RegistryPage | undefined> => {
    let url = new URL(`${source.replace(/\/+$/, '')}/v0.1/${path}`)
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const response = await fetch(url, { headers: { accept: 'application/json' } })
      const location = response.headers.get('location')
      if (response.status === 404) return undefined
      if (response.ok) return parsed(await response.text(), url.origin)
      if (response.status < 300 || response.status > 399 || location === null)
        throw new Error(`${url.origin} replied with HTTP status ${response.status}`)
      url = new URL(location, url)
    }
    throw new Error(`${source} redirects more than ${maxRedirects} times`)
  }

function parsed(text: string, source: string): RegistryPage {
  try {
    return readReply(JSON.parse(text))
  } catch {
    throw new Error(`${source} did not reply with JSON`)
  }
}
