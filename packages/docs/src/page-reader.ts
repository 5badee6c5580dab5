import { relative } from 'node:path'
import { CleanError, type Page } from '@pith-mcp/cleaner'
import { LRUCache } from 'lru-cache'
import type { Dispatcher } from 'undici'
import type { Access } from './access/access.ts'
import { DocsError } from './docs-error.ts'
import { decodeHtml } from './fetch/decode-html.ts'
import { type FetchLimits, fetchBytes } from './fetch/fetch-bytes.ts'
import { readFileBytes, stampFile } from './file/read-file-bytes.ts'
import { resolvePath } from './file/resolve-path.ts'
import type { Location } from './location/parse-location.ts'
import { cleanPage, formatOf, formatOfFile } from './page-format.ts'
import { quoteValue } from './quote-value.ts'

export interface PageReader {
  /** The page at a location, cleaned; from memory if it was read in the last minutes. */
  read(location: Location): Promise<Page>
}

export interface PageReaderOptions {
  access: Access
  dispatcher: Dispatcher
  limits: FetchLimits
}

const keptMs = 5 * 60_000
const keptCharacters = 64 * 2 ** 20

/** Pages by URL or file; a page that is asked for twice at once is read once. */
export function createPageReader({ access, dispatcher, limits }: PageReaderOptions): PageReader {
  const pages = new LRUCache<string, Page, { location: Location }>({
    ttl: keptMs,
    maxSize: keptCharacters,
    sizeCalculation: pageSize,
    fetchMethod: (_key, _stale, { context }) => load(context.location),
  })

  return {
    async read(location) {
      const { key, ...context } = await keyOf(location)
      const page = await pages.fetch(key, { context })
      if (!page) throw emptyPage(location)
      return page
    },
  }

  async function keyOf(location: Location): Promise<{ key: string; location: Location }> {
    if (location.kind === 'web') return { key: location.url, location }
    const real = await resolvePath(location.path, access.roots)
    const { path, stamp } = await stampFile(real).catch((error: unknown) => {
      throw error instanceof DocsError ? error : unreadableFile(location.path, error)
    })
    return { key: `${path}\0${stamp}`, location: { kind: 'file', path } }
  }

  async function load(location: Location): Promise<Page> {
    const loading = location.kind === 'web' ? loadWeb(location.url) : loadFile(location.path)
    const page = await loading.catch((error: unknown) => {
      throw error instanceof CleanError ? tooComplex(location, error) : error
    })
    if (page.sections.length === 0) throw emptyPage(location)
    return page
  }

  async function loadWeb(url: string): Promise<Page> {
    const fetched = await fetchBytes(url, dispatcher, limits)
    const { type, bytes, charset } = fetched
    const format = formatOf(type, new URL(fetched.url).pathname)
    if (!format || isBinary(bytes)) throw noPage(url, type)
    return cleanPage(decodeHtml(bytes, charset), format, { url: fetched.url })
  }

  async function loadFile(path: string): Promise<Page> {
    const bytes = await readFileBytes(path, limits.maxBytes)
    const format = formatOfFile(path)
    if (!format || isBinary(bytes)) throw noPage(nameOf(path), '')
    return cleanPage(decodeHtml(bytes), format, { url: nameOf(path) })
  }

  /** Relative to the root it lies in: short, and accepted back. */
  function nameOf(path: string): string {
    const names = access.roots
      .map((root) => relative(root, path))
      .filter((way) => !way.startsWith('..'))
    const name = names.find((way) => way !== '')?.replaceAll('\\', '/') ?? path
    // These would end the path in a URL.
    return name.replace(/[%#?]/g, encodeURIComponent)
  }
}

/** No HTML in any charset but UTF-16, which brings a byte order mark, has a NUL byte. */
function isBinary(bytes: Uint8Array): boolean {
  const [first, second] = bytes
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return !marked && bytes.subarray(0, 4096).includes(0)
}

/** Strings a page holds, in characters, and something for each object around them. */
function pageSize(page: Page): number {
  let size = 1000
  for (const section of page.sections) {
    size += 200 + section.title.length
    for (const block of section.blocks) size += 100 + block.markdown.length
  }
  return size
}

function noPage(location: string, type: string): DocsError {
  return new DocsError(
    'unsupported_type',
    `${quoteValue(location)} is ${type === '' ? 'not a page' : `of type ${quoteValue(type)}, not a page`}.`,
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

function tooComplex(location: Location, cause: CleanError): DocsError {
  const name = location.kind === 'web' ? location.url : location.path
  return new DocsError(
    'too_large',
    `${quoteValue(name)} is too large: ${cause.message}`,
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
