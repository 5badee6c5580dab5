import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CleanError, type Page } from '@pith-mcp/cleaner'
import { LRUCache } from 'lru-cache'
import type { Access } from '#fetch/access'
import { decodeHtml, decodeText } from '#fetch/decode-html'
import { onSite } from '#fetch/file/on-site'
import { readFileBytes, stampFile } from '#fetch/file/read-file-bytes'
import { resolvePath } from '#fetch/file/resolve-path'
import { type Location, parseLocation } from '#fetch/protocol/parse-location'
import { checkHost } from '#fetch/ssrf-guard'
import { DocsError, quoteValue } from '#formats/docs-error'
import type { PageLink } from '#formats/format'
import { formatOfFile, notAPage, readReceived } from '#formats/page-format'
import { html } from '#formats/readers/html'
import { markdown } from '#formats/readers/markdown'
import type { LibraryPage, LibraryPages } from '#installed/library-page'
import type { PageStore } from './cache/page-store.ts'
import { isShell } from './is-shell.ts'
import { joinPages } from './join-pages.ts'
import { type PageForms, pageForms } from './page-forms.ts'
import { type ReadPage, withHealth } from './read-page.ts'
import { WebPages, type WebPagesOptions } from './web-pages.ts'

interface ReadPageOptions {
  /** Read the HTML of a page whose Markdown may lack its fragments. */
  asHtml?: boolean
  /** Bypass the cache, for indexing. */
  once?: boolean
}

export interface PageReaderOptions extends WebPagesOptions {
  access: Access
  maxBytes: number
  /** Pages in packs replace those of the web; the first pack wins. */
  packs: readonly { name: string; store: Pick<PageStore, 'get'> }[]
  libraries: LibraryPages | undefined
  /** Pages of repositories whose archives are kept. */
  repositories: LibraryPages
  /** Of the cookies, which decide what a page of the web has. */
  identity?: (() => Promise<string>) | undefined
}

type PageRequest = { location: Location; asHtml: boolean; library?: LibraryPage | undefined }

const cacheMs = 5 * 60_000
const maxCachedPages = 50
/** A stale copy, returned because the page could not be read, is replaced sooner. */
const staleCacheMs = 15_000
const maxCachedCharacters = 64 * 2 ** 20
/** Frames of a page that are read, and of frames in frames. */
const maxFrames = 8
const maxFrameDepth = 2

/** Reads pages by URL or file. Concurrent requests for a page share one read. */
export class PageReader {
  readonly #options: PageReaderOptions
  readonly #web: WebPages
  readonly #pages: LRUCache<string, ReadPage, PageRequest>

  constructor(options: PageReaderOptions) {
    this.#options = options
    this.#web = new WebPages(options)
    this.#pages = new LRUCache<string, ReadPage, PageRequest>({
      ttl: cacheMs,
      max: maxCachedPages,
      maxSize: maxCachedCharacters,
      sizeCalculation: ({ page }) => pageSize(page),
      fetchMethod: async (_key, _stale, { context, options: entry }) => {
        const read = await this.#load(context)
        if (read.origin.stale !== undefined) entry.ttl = staleCacheMs
        return read
      },
    })
  }

  /** The cleaned page at a location, cached for five minutes. */
  async read(
    requested: Location,
    { asHtml = false, once = false }: ReadPageOptions = {},
  ): Promise<ReadPage> {
    const packed = await this.#fromPacks(requested)
    if (packed) return packed
    const { key, location, library } = await this.#keyOf(requested)
    const name = asHtml ? `html\0${key}` : key
    const context = { location, asHtml, library }
    if (once) return this.#pages.get(name) ?? this.#load(context)
    const page = await this.#pages.fetch(name, { context })
    if (!page) throw emptyPage(location)
    return page
  }

  /** All forms of a page of the web, from its server. */
  forms(url: string, isAnswering: boolean): Promise<PageForms | undefined> {
    return pageForms(this.#web, url, isAnswering)
  }

  /** Whether a server sends Markdown for any address. */
  async isAnswering(siteUrl: string): Promise<boolean> {
    const url = new URL('no-such-page-4c1f.md', siteUrl).href
    return (await this.#web.markdownAt(url, url, 'variant')) !== undefined
  }

  /** Name of a page: its URL, or its path relative to a root. */
  nameOf(location: Location): string {
    return location.kind === 'web'
      ? location.url
      : nameOfPath(location.path, this.#options.access.roots)
  }

  async #fromPacks(location: Location): Promise<ReadPage | undefined> {
    const name = location.kind === 'web' ? location.url : location.path
    for (const pack of this.#options.packs) {
      const cached = await pack.store.get(name)
      if (cached) {
        const { page, links, fetchedAt } = cached
        const origin = { source: 'pack' as const, pack: pack.name, fetchedAt }
        return withHealth({ key: name, page, links: async () => links, origin })
      }
    }
    return undefined
  }

  async #keyOf(
    requested: Location,
  ): Promise<{ key: string; location: Location; library?: LibraryPage }> {
    const { access, libraries, repositories } = this.#options
    const { roots, sites } = access
    const library = await (requested.kind === 'file'
      ? libraries?.page(requested.path)
      : repositories.page(requested.url))
    if (library && requested.kind === 'web') checkHost(requested.url, access)
    if (library) return { key: `${library.url}\0${library.stamp}`, location: requested, library }
    const isFile = requested.kind === 'file' && roots.length === 0
    const url = isFile ? onSite(requested.path, sites) : undefined
    const location: Location = url === undefined ? requested : { kind: 'web', url }
    if (location.kind === 'web') {
      const identity = (await this.#options.identity?.()) ?? ''
      return { key: `${location.url}#${identity}`, location }
    }
    const real = await resolvePath(location.path, this.#options.access.roots)
    const { path, stamp } = await stampFile(real).catch((error: unknown) => {
      if (error instanceof DocsError) throw error
      const detail = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      throw new DocsError(
        'not_found',
        `${quoteValue(location.path)} could not be opened: ${detail}.`,
        'Check that the server may read the file, or read another page.',
        { cause: error },
      )
    })
    return { key: `${path}\0${stamp}`, location: { kind: 'file', path } }
  }

  async #load({ location, asHtml, library }: PageRequest, depth = 0): Promise<ReadPage> {
    if (library) return this.#readLibrary(library)
    const loading =
      location.kind === 'file'
        ? this.#readFile(location.path)
        : asHtml
          ? this.#web.readHtml(location.url)
          : this.#web.read(location.url)
    const read = await loading.catch((error: unknown) => {
      if (error instanceof DocsError) throw error
      const name = location.kind === 'web' ? location.url : location.path
      throw new DocsError(
        'too_large',
        `${quoteValue(name)} is too large to read. ${error instanceof CleanError ? error.message : `It could not be read (${error instanceof Error ? error.message : error}).`}`,
        'Read a smaller page: many sites split their one-page manual into chapters.',
        { cause: error },
      )
    })
    if (!isShell(read.page)) return withHealth(read)
    const parts =
      (await this.#fromFrames(location, read, depth)) ?? (await this.#fromMarkdown(read))
    if (!parts) throw emptyPage(location, read.page)
    return parts
  }

  /** A page that consists of documents of its host or folder; undefined if none has text. */
  async #fromFrames(
    location: Location,
    read: ReadPage,
    depth: number,
  ): Promise<ReadPage | undefined> {
    if (depth >= maxFrameDepth) return undefined
    const links = await read.links()
    const frames = links.filter(({ rel }) => rel === 'frame').map(({ url }) => parseLocation(url))
    const neighbours = frames.filter((frame) => isNeighbour(frame, location)).slice(0, maxFrames)
    const reads = neighbours.map(async (frame) => {
      const { location: target } = await this.#keyOf(frame)
      return this.#load({ location: target, asHtml: false }, depth + 1)
    })
    const settled = await Promise.allSettled(reads)
    const parts = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    if (parts.length === 0) return undefined
    const rest = frames.length - parts.length
    const textFrom = rest > 0 ? `its frames, ${rest} of ${frames.length} not read` : 'its frames'
    return joinPages({ ...read, origin: { ...read.origin, textFrom } }, parts)
  }

  /** The Markdown that the scripts of a page show; undefined without it. */
  async #fromMarkdown({ page, origin }: ReadPage): Promise<ReadPage | undefined> {
    if (origin.source === 'file' || this.#options.offline) return undefined
    return this.#web.readClientSide(page.url)
  }

  async #readLibrary({ url, place, name, read, parts, stamp }: LibraryPage): Promise<ReadPage> {
    const format = formatOfFile(name) ?? markdown
    const text = await read()
    const page =
      typeof text === 'string' ? await this.#options.cleaner.clean({ text, format, url }) : text
    const origin = { source: 'file' as const, library: place }
    const readPage: ReadPage = { key: `${url}\0${stamp}`, page, links: async () => [], origin }
    if (!parts) return readPage
    const reads = await Promise.all(parts.map((part) => this.#readLibrary(part)))
    return joinPages({ ...readPage, page: { ...page, title: name } }, reads)
  }

  /** Read the page in a file by its real path. */
  async #readFile(path: string): Promise<ReadPage> {
    const { cleaner, maxBytes } = this.#options
    const url = this.nameOf({ kind: 'file', path })
    const bytes = await readFileBytes(path, maxBytes)
    const file = { url: pathToFileURL(path).href, type: '', bytes }
    const read = { charset: '', isGuessed: false, ...readReceived(file, () => decodeText(bytes)) }
    const { text, charset, isGuessed } = read
    const format = read.format?.isBinary || formatOfFile(path) ? read.format : undefined
    if (!format) throw notAPage(url)
    const page = await cleaner.clean({ text, format, url })
    const links = async () => (format === html ? this.#linksIn(path, page) : [])
    const origin = { source: 'file' as const, ...(isGuessed && { guessedCharset: charset }) }
    return { key: path, page, links, origin }
  }

  /** The links of a page; the file is read again for them. */
  async #linksIn(path: string, page: Page): Promise<PageLink[]> {
    const { access, maxBytes } = this.#options
    const text = decodeHtml(await readFileBytes(path, maxBytes))
    const links = html.links(text, pathToFileURL(path).href, page)
    return links.map((link) => ({ ...link, url: nameOfUrl(link.url, access.roots) }))
  }
}

/** A link to a file below a root, in the form that every call accepts. */
function nameOfUrl(url: string, roots: readonly string[]): string {
  if (!url.startsWith('file:')) return url
  const [file = '', fragment] = url.split('#')
  return `${nameOfPath(fileURLToPath(file), roots)}${fragment ? `#${fragment}` : ''}`
}

/** Relative to its root: short, and accepted as a parameter. */
function nameOfPath(path: string, roots: readonly string[]): string {
  // The address of a page of a library.
  if (!isAbsolute(path)) return path
  const names = roots.flatMap((root, at) => {
    const relativePath = relative(root, path)
    if (relativePath === '' || relativePath.startsWith('..')) return []
    // Skips a relative name that means a file of an earlier root.
    const hides = roots.slice(0, at).some((earlier) => existsSync(join(earlier, relativePath)))
    return hides ? [] : [relativePath]
  })
  const name = names[0]?.replaceAll('\\', '/') ?? path
  // These characters would end the path, or be trimmed at its ends.
  const safe = name.replace(/[%#?\p{Cc}]|^ | $/gu, encodeURIComponent)
  return /^[a-z][a-z0-9+.-]*:/i.test(safe) && !isAbsolute(name) ? `./${safe}` : safe
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

/** Frames of other hosts are seldom the text of a page. */
function isNeighbour(frame: Location, page: Location): boolean {
  if (frame.kind === 'file' || page.kind === 'file') return frame.kind === page.kind
  return new URL(frame.url).host === new URL(page.url).host && frame.url !== page.url
}

function emptyPage(location: Location, page?: Page): DocsError {
  const name = location.kind === 'web' ? location.url : location.path
  const { suspectedShell = false, unread = [] } = page?.health ?? {}
  const data =
    unread.length > 0 ? ` Its data was not read: ${unread.join(', ').slice(0, 200)}.` : ''
  return new DocsError(
    'unsupported_type',
    suspectedShell
      ? `${quoteValue(name)} has no text: it is drawn by scripts (JavaScript) in the browser.${data}`
      : `${quoteValue(name)} has no text.${data}`,
    'Read another page, or the plain version of this one if the site has one.',
  )
}
