import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from '@pith-mcp/cleaner'
import type { Access } from '../fetch/access.ts'
import { decodeHtml } from '../fetch/decode-html.ts'
import { readFileBytes } from '../file/read-file-bytes.ts'
import { DocsError } from '../protocol/docs-error.ts'
import { formatOfFile, isBinary } from '../protocol/page-format.ts'
import type { PageLink } from '../protocol/page-links.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import type { CleanPool } from './clean-pool.ts'
import { linksOf } from './links-of.ts'
import type { ReadPage } from './read-page.ts'

export interface FilePagesOptions {
  access: Access
  cleaner: CleanPool
  maxBytes: number
}

/** Read the page in a file by its real path. */
export async function readFilePage(path: string, options: FilePagesOptions): Promise<ReadPage> {
  const { access, cleaner, maxBytes } = options
  const name = nameOfPath(path, access.roots)
  const bytes = await readFileBytes(path, maxBytes)
  const format = formatOfFile(path)
  if (!format || isBinary(bytes)) throw noPage(name)
  const page = await cleaner.clean({ text: decodeHtml(bytes), format, url: name })
  const links = async () => (format === 'html' ? linksIn(path, page, options) : [])
  return { key: path, page, links, origin: { source: 'file' } }
}

/** The links of a page; the file is read again for them. */
async function linksIn(
  path: string,
  page: Page,
  { access, maxBytes }: FilePagesOptions,
): Promise<PageLink[]> {
  const text = decodeHtml(await readFileBytes(path, maxBytes))
  const links = linksOf(text, pathToFileURL(path).href, page)
  return links.map((link) => ({ ...link, url: nameOfUrl(link.url, access.roots) }))
}

/** A link to a file below a root, in the form that every call accepts. */
function nameOfUrl(url: string, roots: readonly string[]): string {
  if (!url.startsWith('file:')) return url
  const [file = '', fragment] = url.split('#')
  return `${nameOfPath(fileURLToPath(file), roots)}${fragment ? `#${fragment}` : ''}`
}

/** Relative to its root: short, and accepted as a parameter. */
export function nameOfPath(path: string, roots: readonly string[]): string {
  const names = roots.flatMap((root, at) => {
    const relativePath = relative(root, path)
    if (relativePath === '' || relativePath.startsWith('..')) return []
    // Skips a relative name that means a file of an earlier root.
    const hides = roots.slice(0, at).some((other) => existsSync(join(other, relativePath)))
    return hides ? [] : [relativePath]
  })
  const name = names[0]?.replaceAll('\\', '/') ?? path
  // These characters would end the path, or be trimmed at its ends.
  const safe = name.replace(/[%#?\p{Cc}]|^ | $/gu, encodeURIComponent)
  return /^[a-z][a-z0-9+.-]*:/i.test(safe) && !isAbsolute(name) ? `./${safe}` : safe
}

function noPage(location: string): DocsError {
  return new DocsError(
    'unsupported_type',
    `${quoteValue(location)} is not an HTML, Markdown or text page.`,
    'Pass an HTML, Markdown or text page.',
  )
}
