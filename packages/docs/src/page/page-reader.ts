import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CleanError, type Page } from '@pith-mcp/cleaner'
import { LRUCache } from 'lru-cache'
import type { Access } from '../fetch/access.ts'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpClient } from '../fetch/http-client.ts'
import { readFileBytes, stampFile } from '../file/read-file-bytes.ts'
import { resolvePath } from '../file/resolve-path.ts'
import { DocsError } from '../protocol/docs-error.ts'
import type { Origin } from '../protocol/origin.ts'
import { formatOfFile, isBinary } from '../protocol/page-format.ts'
import type { PageLink } from '../protocol/page-links.ts'
import type { Location } from '../protocol/parse-location.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import { isFresh } from './cache/freshness.ts'
import type { PageStore, StoredPage } from './cache/page-store.ts'
import type { CleanPool } from './clean-pool.ts'
import { linksOf } from './links-of.ts'
import { createPageResolver } from './resolve-page.ts'

export interface ReadPage {
  /** Unique over all folders: the URL, or the absolute path. */
  key: string
  page: Page
  /** Extracted on demand; few requests need links. */
  links: () => Promise<PageLink[]>
  origin: Origin
}

export interface PageReader {
  /**
   * The cleaned page at a location, cached for five minutes. `asHtml` reads the HTML of a page
   * whose Markdown may lack its fragments. `once` bypasses the cache, for indexing.
   */
  read(location: Location, options?: { asHtml?: boolean; once?: boolean }): Promise<ReadPage>
  /** Name of a page: its URL, or its path relative to a root. */
  nameOf(location: Location): string
}

export interface PageReaderOptions {
  access: Access
  client: HttpClient
  cleaner: CleanPool
  store: PageStore
  /** Pages in packs replace those of the web; the first pack wins. */
  packs: readonly PageStore[]
  /** True for pages whose Markdown differs from their HTML. */
  readsHtml: (url: string) => boolean
  maxBytes: number
  offline: boolean
}

const cacheMs = 5 * 60_000
const maxCachedPages = 50
/** A stale copy, returned because the page could not be read, is replaced sooner. */
const staleCacheMs = 15_000
const maxCachedCharacters = 64 * 2 ** 20

/** Reads pages by URL or file. Concurrent requests for a page share one read. */
export function createPageReader(options: PageReaderOptions): PageReader {
  const { access, client, cleaner, store, packs, maxBytes, offline } = options
  const resolver = createPageResolver(client, cleaner, options.readsHtml)
  const pages = new LRUCache<string, ReadPage, { location: Location; asHtml: boolean }>({
    ttl: cacheMs,
    max: maxCachedPages,
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ page }) => pageSize(page),
    async fetchMethod(_key, _stale, { context, options: entry }) {
      const read = await load(context.location, context.asHtml)
      if (read.origin.stale !== undefined) entry.ttl = staleCacheMs
      return read
    },
  })

  return {
    async read(location, { asHtml = false, once = false } = {}) {
      const packed = await fromPacks(location)
      if (packed) return packed
      const { key, ...context } = await keyOf(location)
      const name = asHtml ? `html\0${key}` : key
      if (once) return pages.get(name) ?? load(context.location, asHtml)
      const page = await pages.fetch(name, { context: { ...context, asHtml } })
      if (!page) throw emptyPage(location)
      return page
    },
    nameOf: (location) => (location.kind === 'web' ? location.url : nameOf(location.path)),
  }

  async function fromPacks(location: Location): Promise<ReadPage | undefined> {
    const name = location.kind === 'web' ? location.url : location.path
    for (const pack of packs) {
      const cached = await pack.get(name)
      if (cached) {
        const { page, links, fetchedAt } = cached
        return { key: name, page, links: async () => links, origin: { source: 'pack', fetchedAt } }
      }
    }
    return undefined
  }

  async function keyOf(location: Location): Promise<{ key: string; location: Location }> {
    if (location.kind === 'web') return { key: location.url, location }
    const real = await resolvePath(location.path, access.roots)
    const { path, stamp } = await stampFile(real).catch((error: unknown) => {
      throw error instanceof DocsError ? error : unreadableFile(location.path, error)
    })
    return { key: `${path}\0${stamp}`, location: { kind: 'file', path } }
  }

  async function load(location: Location, asHtml: boolean): Promise<ReadPage> {
    const loading =
      location.kind === 'file'
        ? loadFile(location.path)
        : asHtml
          ? resolver.readHtml(location.url).then((read) => toReadPage(read))
          : loadWeb(location.url)
    const read = await loading.catch((error: unknown) => {
      if (error instanceof DocsError) throw error
      throw tooComplex(location, error)
    })
    if (read.page.sections.length === 0) throw emptyPage(location)
    return read
  }

  async function loadWeb(url: string): Promise<ReadPage> {
    const cached = await store.get(url).catch(() => undefined)
    if (cached && (offline || isFresh(cached))) return toReadPage(cached)
    try {
      const read = await resolver.resolve(url, cached)
      // A page that must not be stored also removes its former copy.
      const isKept = read.page.sections.length > 0 && read.policy !== undefined
      if (isKept) await store.put(read).catch(() => {})
      else if (cached) await store.remove(url).catch(() => {})
      return toReadPage(read)
    } catch (error) {
      if (!cached || !isTransientFailure(error)) throw error
      return toReadPage(cached, error.message)
    }
  }

  function toReadPage(stored: StoredPage, stale?: string): ReadPage {
    const { url, page, links, source, fetchedAt } = stored
    return {
      key: url,
      page,
      // A page read as Markdown without its HTML has no links; they are in the HTML.
      links: async () =>
        source !== 'alternate' || links.length > 0 || offline
          ? links
          : ((await resolver.readHtml(url).catch(() => undefined))?.links ?? []),
      origin: { source, fetchedAt, ...(stale !== undefined && { stale }) },
    }
  }

  async function loadFile(path: string): Promise<ReadPage> {
    const bytes = await readFileBytes(path, maxBytes)
    const format = formatOfFile(path)
    if (!format || isBinary(bytes)) throw noPage(nameOf(path))
    const text = decodeHtml(bytes)
    const page = await cleaner.clean({ text, format, url: nameOf(path) })
    const links = async () => (format === 'html' ? linksOfFile(path, page) : [])
    return { key: path, page, links, origin: { source: 'file' } }
  }

  async function linksOfFile(path: string, page: Page): Promise<PageLink[]> {
    const text = decodeHtml(await readFileBytes(path, maxBytes))
    const base = pathToFileURL(path).href
    return linksOf(text, base, page).map((link) => ({ ...link, url: nameOfUrl(link.url) }))
  }

  /** A link to a file below a root, in the form that every call accepts. */
  function nameOfUrl(url: string): string {
    if (!url.startsWith('file:')) return url
    const [file = '', fragment] = url.split('#')
    return `${nameOf(fileURLToPath(file))}${fragment ? `#${fragment}` : ''}`
  }

  /** Relative to its root: short, and accepted as a parameter. */
  function nameOf(path: string): string {
    const names = access.roots.flatMap((root, at) => {
      const relativePath = relative(root, path)
      if (relativePath === '' || relativePath.startsWith('..')) return []
      // Skips a relative name that means a file of an earlier root.
      const hides = access.roots.slice(0, at).some((other) => existsSync(join(other, relativePath)))
      return hides ? [] : [relativePath]
    })
    const name = names[0]?.replaceAll('\\', '/') ?? path
    // These characters would end the path, or be trimmed at its ends.
    const safe = name.replace(/[%#?\p{Cc}]|^ | $/gu, encodeURIComponent)
    return /^[a-z][a-z0-9+.-]*:/i.test(safe) && !isAbsolute(name) ? `./${safe}` : safe
  }
}

/** Not for a page that is gone or forbidden: an old copy would hide that. */
function isTransientFailure(error: unknown): error is DocsError {
  if (!(error instanceof DocsError)) return false
  if (error.code === 'timeout') return true
  const { status } = error
  return error.code === 'unreachable' && (status === undefined || status >= 500 || status === 429)
}

/** Characters in a page's strings, plus an estimate for each object around them. */
function pageSize({ sections }: ReadPage['page']): number {
  let size = 1000
  for (const section of sections) {
    size += 200 + section.title.length
    for (const block of section.blocks) size += 100 + block.markdown.length
  }
  return size
}

function noPage(location: string): DocsError {
  return new DocsError(
    'unsupported_type',
    `${quoteValue(location)} is not an HTML or Markdown page.`,
    'Pass an HTML or Markdown page.',
  )
}

function emptyPage(location: Location): DocsError {
  const name = location.kind === 'web' ? location.url : location.path
  return new DocsError(
    'unsupported_type',
    `${quoteValue(name)} has no text: it is empty, or JavaScript renders it in the browser.`,
    'Read another page, or the plain version of this one if the site has one.',
  )
}

function tooComplex(location: Location, cause: unknown): DocsError {
  const name = location.kind === 'web' ? location.url : location.path
  return new DocsError(
    'too_large',
    `${quoteValue(name)} is too large to read. ${cause instanceof CleanError ? cause.message : `It could not be read (${cause instanceof Error ? cause.message : cause}).`}`,
    'Read a smaller page: many sites split their one-page manual into chapters.',
    cause,
  )
}

function unreadableFile(path: string, cause: unknown): DocsError {
  const detail = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  return new DocsError(
    'not_found',
    `${quoteValue(path)} could not be opened: ${detail}.`,
    'Check that the server may read the file, or read another page.',
    cause,
  )
}
