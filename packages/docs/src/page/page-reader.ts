import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CleanError, type Page } from '@pith-mcp/cleaner'
import { LRUCache } from 'lru-cache'
import { DocsError } from '../common/docs-error.ts'
import { formatOfFile, isBinary } from '../common/page-format.ts'
import type { PageLink } from '../common/page-links.ts'
import type { Location } from '../common/parse-location.ts'
import { quoteValue } from '../common/quote-value.ts'
import type { Origin } from '../common/rung.ts'
import type { Access } from '../fetch/access.ts'
import { decodeHtml } from '../fetch/decode-html.ts'
import type { HttpClient } from '../fetch/http-client.ts'
import { readFileBytes, stampFile } from '../file/read-file-bytes.ts'
import { resolvePath } from '../file/resolve-path.ts'
import type { PageStore, StoredPage } from './cache/page-store.ts'
import type { ApartCleaner } from './clean-apart.ts'
import { linksOf } from './links-of.ts'
import { createPageLadder, isFresh } from './page-ladder.ts'

export interface ReadPage {
  /** Tells pages apart, whatever folder they lie in: their URL, or their whole path. */
  key: string
  page: Page
  /** Found when they are asked for: few questions are about them. */
  links: () => Promise<PageLink[]>
  origin: Origin
}

export interface PageReader {
  /**
   * The page at a location, cleaned; from memory if it was read in the last minutes. With `asHtml`
   * the HTML of a page that was had as Markdown, whose fragments may be others. With `once` the page
   * is not kept in memory: nobody has asked for it in particular.
   */
  read(location: Location, options?: { asHtml?: boolean; once?: boolean }): Promise<ReadPage>
  /** What a page is called: its URL, or its path below a root. */
  nameOf(location: Location): string
}

export interface PageReaderOptions {
  access: Access
  client: HttpClient
  cleaner: ApartCleaner
  store: PageStore
  /** Pages that stand for those of the web, first one first. */
  packs: readonly PageStore[]
  /** True of pages whose Markdown is not what they say. */
  readsHtml: (url: string) => boolean
  maxBytes: number
  offline: boolean
}

const keptMs = 5 * 60_000
const keptPages = 50
/** A copy that was given because the page could not be read is soon tried again. */
const keptStaleMs = 15_000
const keptCharacters = 64 * 2 ** 20

/** Pages by URL or file; a page that is asked for twice at once is read once. */
export function createPageReader(options: PageReaderOptions): PageReader {
  const { access, client, cleaner, store, packs, maxBytes, offline } = options
  const ladder = createPageLadder(client, cleaner, options.readsHtml)
  const pages = new LRUCache<string, ReadPage, { location: Location; asHtml: boolean }>({
    ttl: keptMs,
    max: keptPages,
    maxSize: keptCharacters,
    sizeCalculation: ({ page }) => pageSize(page),
    async fetchMethod(_key, _stale, { context, options: entry }) {
      const read = await load(context.location, context.asHtml)
      if (read.origin.stale !== undefined) entry.ttl = keptStaleMs
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
      const kept = await pack.get(name)
      if (kept) {
        const { page, links, fetchedAt } = kept
        return { key: name, page, links: async () => links, origin: { rung: 'pack', fetchedAt } }
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
          ? ladder.readHtml(location.url).then((read) => toReadPage(read))
          : loadWeb(location.url)
    const read = await loading.catch((error: unknown) => {
      if (error instanceof DocsError) throw error
      throw tooComplex(location, error)
    })
    if (read.page.sections.length === 0) throw emptyPage(location)
    return read
  }

  async function loadWeb(url: string): Promise<ReadPage> {
    const kept = await store.get(url).catch(() => undefined)
    if (kept && (offline || isFresh(kept))) return toReadPage(kept)
    try {
      const read = await ladder.climb(url, kept)
      // What may not be kept is not, and neither is what was kept of it before.
      const isKept = read.page.sections.length > 0 && read.policy !== undefined
      if (isKept) await store.put(read).catch(() => {})
      else if (kept) await store.remove(url).catch(() => {})
      return toReadPage(read)
    } catch (error) {
      if (!kept || !isPassingFailure(error)) throw error
      return toReadPage(kept, error.message)
    }
  }

  function toReadPage(stored: StoredPage, stale?: string): ReadPage {
    const { url, page, links, rung, fetchedAt } = stored
    return {
      key: url,
      page,
      // Markdown that was had without the HTML came without them.
      links: async () =>
        rung !== 'alternate' || links.length > 0 || offline
          ? links
          : ((await ladder.readHtml(url).catch(() => undefined))?.links ?? []),
      origin: { rung, fetchedAt, ...(stale !== undefined && { stale }) },
    }
  }

  async function loadFile(path: string): Promise<ReadPage> {
    const bytes = await readFileBytes(path, maxBytes)
    const format = formatOfFile(path)
    if (!format || isBinary(bytes)) throw noPage(nameOf(path))
    const text = decodeHtml(bytes)
    const page = await cleaner.clean({ text, format, url: nameOf(path) })
    const links = async () => (format === 'html' ? linksOfFile(path, page) : [])
    return { key: path, page, links, origin: { rung: 'file' } }
  }

  async function linksOfFile(path: string, page: Page): Promise<PageLink[]> {
    const text = decodeHtml(await readFileBytes(path, maxBytes))
    const base = pathToFileURL(path).href
    return linksOf(text, base, page).map((link) => ({ ...link, url: nameOfUrl(link.url) }))
  }

  /** A link to a file below a root by the name that every call accepts. */
  function nameOfUrl(url: string): string {
    if (!url.startsWith('file:')) return url
    const [file = '', fragment] = url.split('#')
    return `${nameOf(fileURLToPath(file))}${fragment ? `#${fragment}` : ''}`
  }

  /** Relative to the root it lies in: short, and accepted back. */
  function nameOf(path: string): string {
    const names = access.roots.flatMap((root, at) => {
      const way = relative(root, path)
      if (way === '' || way.startsWith('..')) return []
      // The same name below a root that comes before would be that file.
      const hides = access.roots.slice(0, at).some((other) => existsSync(join(other, way)))
      return hides ? [] : [way]
    })
    const name = names[0]?.replaceAll('\\', '/') ?? path
    // These would end the path, or be lost at its ends.
    const safe = name.replace(/[%#?\p{Cc}]|^ | $/gu, encodeURIComponent)
    return /^[a-z][a-z0-9+.-]*:/i.test(safe) && !isAbsolute(name) ? `./${safe}` : safe
  }
}

/** Not of a page that is gone or forbidden: then an old copy would hide the truth. */
function isPassingFailure(error: unknown): error is DocsError {
  if (!(error instanceof DocsError)) return false
  if (error.code === 'timeout') return true
  const { status } = error
  return error.code === 'unreachable' && (status === undefined || status >= 500 || status === 429)
}

/** Strings a page holds, in characters, and something for each object around them. */
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
    `${quoteValue(location)} is not a page.`,
    'Pass a page of HTML or Markdown.',
  )
}

function emptyPage(location: Location): DocsError {
  const name = location.kind === 'web' ? location.url : location.path
  return new DocsError(
    'unsupported_type',
    `${quoteValue(name)} has no text: it is empty, or written by JavaScript in the browser.`,
    'Read another page, or the plain version of this one if the site has it.',
  )
}

function tooComplex(location: Location, cause: unknown): DocsError {
  const name = location.kind === 'web' ? location.url : location.path
  return new DocsError(
    'too_large',
    `${quoteValue(name)} is too large: ${cause instanceof CleanError ? cause.message : `it could not be read (${cause instanceof Error ? cause.message : cause}).`}`,
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
