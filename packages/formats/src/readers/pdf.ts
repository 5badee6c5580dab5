import { join } from 'node:path'
import { cleanHtml, type Page } from '@pith-mcp/cleaner'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { DocsError, quoteValue } from '../docs-error.ts'
import type { Format } from '../format.ts'
import { Counts } from '../parts/counts.ts'
import { packageFolder, packageMissing } from '../parts/optional-package.ts'
import {
  type Bookmark,
  bookmarkedHeadings,
  emptyShare,
  type Heading,
  largeHeadings,
} from './pdf/headings.ts'
import { htmlOf } from './pdf/page-html.ts'
import { withoutRunning } from './pdf/running-lines.ts'
import { linesOf, type TextItem, type TextLine } from './pdf/text-lines.ts'

/** Further pages, items of text of a page, and bookmarks are counted. */
const maxPages = 2_000
const maxItems = 20_000
const maxBookmarks = 5_000
/** Characters of all pages. */
const maxText = 5_000_000
/** Milliseconds of processor time after which no other page is begun; the reader has 30 s. */
const maxMs = 15_000

/** The share of headings without text above which bookmarks are not used. */
const maxEmpty = 0.1

const reader = 'pdfjs-dist'

/** PDF with text, read by pdf.js without drawing: no fonts, pictures, scripts or requests. */
export const pdf: Format = {
  name: 'PDF',
  types: /^application\/(?:x-)?pdf$/,
  names: /\.pdf$/i,
  isBinary: true,
  maxInlineLength: 0,
  recognises: (text) => /^\s{0,100}%PDF-\d/.test(text),
  isMissing: () => packageFolder(reader) === undefined,
  async read(text, options) {
    const name = quoteValue(options.url ?? 'The document')
    const document = await open(new Uint8Array(Buffer.from(text, 'latin1')), options.url)
    try {
      return await pageOf(document, name, options)
    } finally {
      await document.loadingTask.destroy()
    }
  },
  links: () => [],
}

async function pageOf(
  document: PDFDocumentProxy,
  name: string,
  options: Parameters<Format['read']>[1],
): Promise<Page> {
  const counts = new Counts()
  const all = await readLines(document, counts)
  if (all.every((lines) => lines.length === 0))
    throw unread(
      counts.has('damaged page')
        ? `${name} is damaged: none of its pages could be read.`
        : `${name} has ${document.numPages} ${document.numPages === 1 ? 'page' : 'pages'} and no text: it was scanned, or its text is drawn.`,
      'Read another page, or run text recognition on it first, such as ocrmypdf.',
    )
  const { pages: inner, removed } = withoutRunning(all)
  counts.add('line repeated on the pages', removed)
  const contents = inner.flat().filter(({ text }) => leaders.test(text)).length
  counts.add('line of a table of contents', contents)
  const pages = inner.map((lines) => lines.filter(({ text }) => !leaders.test(text)))
  const { size, monoShare } = bodyOf(pages)
  const { title, titleLines } = await titleOf(document, pages, size)
  const words = new Set(pages.flat().flatMap(({ text }) => text.toLowerCase().match(word) ?? []))
  const isWord = (word: string) => words.has(word)
  const bookmarks = await bookmarksOf(document, counts)
  const headings = headingsOf(pages, bookmarks, counts, () =>
    largeHeadings(pages, size, { titleLines, isWord }),
  )
  const html = htmlOf(pages, headings, { hasCode: monoShare < maxMono, isWord })
  const page = cleanHtml(`<main>${html}</main>`, options)
  return counts.onPage({ ...page, title: title || page.title })
}

/** Those of the bookmarks, unless more of them have no text than should. */
function headingsOf(
  pages: readonly TextLine[][],
  bookmarks: readonly Bookmark[],
  counts: Counts,
  large: () => Heading[],
): Heading[] {
  if (bookmarks.length === 0) return large()
  const marked = bookmarkedHeadings(bookmarks, pages)
  if (emptyShare(marked, pages) <= maxEmpty) return marked
  const others = large()
  if (others.length > bookmarks.length / 3 && emptyShare(others, pages) <= maxEmpty) return others
  counts.add('heading that may be in the wrong place', marked.length)
  return marked
}

/** With hyphens inside; what ends with one may be a part of a word. */
const word = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*(?![\p{L}\p{N}]|-$)/gu

/** A title, dots and the number of its page. */
const leaders = /(?:\s?\.){4,}\s*(?:\d{1,5}|[ivx]{1,7})\s*$/i
/** Above this share, a document is set like a typescript, and what is in such a font is no code. */
const maxMono = 0.7

const unread = (message: string, remedy: string, cause?: unknown): DocsError =>
  new DocsError('unsupported_type', message, remedy, { cause })

async function open(data: Uint8Array, url: string | undefined): Promise<PDFDocumentProxy> {
  const folder = packageFolder(reader)
  if (folder === undefined || pdf.isMissing?.()) throw packageMissing(url, 'a PDF', reader)
  const name = quoteValue(url ?? 'The document')
  // Once: it is loaded with other globals than it finds later.
  pdfjs ??= loadPdfjs()
  const { getDocument } = await pdfjs
  const loading = getDocument({
    data,
    verbosity: 0,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    maxImageSize: 1,
    cMapUrl: join(folder, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(folder, 'standard_fonts/'),
  })
  return loading.promise.catch(async (error: Error) => {
    await loading.destroy()
    throw error.name === 'PasswordException'
      ? unread(
          `${name} is encrypted: it opens with a password only.`,
          'Save it without a password.',
        )
      : unread(`${name} is damaged: ${error.message}`, 'Fetch or save it again.', error)
  })
}

/** Names that pdf.js needs when it is loaded, although only drawing uses them. */
const drawing = ['DOMMatrix', 'ImageData', 'Path2D'] as const

/** What it says when it is loaded. */
const isAboutDrawing = /^Warning: Cannot (?:load|polyfill|access)/

let pdfjs: ReturnType<typeof loadPdfjs> | undefined

async function loadPdfjs() {
  const scope = globalThis as unknown as Record<string, unknown>
  const absent = drawing.filter((name) => scope[name] === undefined)
  for (const name of absent) scope[name] = class {}
  const shown = globalThis.console
  const warn = (...words: unknown[]) =>
    isAboutDrawing.test(String(words[0])) || shown.warn(...words)
  globalThis.console = { ...shown, warn }
  try {
    return await import('pdfjs-dist/legacy/build/pdf.mjs')
  } finally {
    globalThis.console = shown
    for (const name of absent) delete scope[name]
  }
}

async function readLines(document: PDFDocumentProxy, counts: Counts): Promise<TextLine[][]> {
  const pages: TextLine[][] = []
  const started = process.cpuUsage()
  const isInTime = () => {
    const { user, system } = process.cpuUsage(started)
    return user + system < maxMs * 1_000
  }
  let length = 0
  const last = Math.min(document.numPages, maxPages)
  for (let at = 1; at <= last && length < maxText && isInTime(); at++) {
    const items = await itemsOf(document, at).catch(() => undefined)
    counts.add('damaged page', items ? 0 : 1)
    counts.add('item of text', (items?.length ?? 0) - maxItems)
    const lines = linesOf(items?.slice(0, maxItems) ?? [], at)
    for (const { text } of lines) length += text.length
    pages.push(lines)
  }
  counts.add('page', document.numPages - pages.length)
  return pages
}

async function itemsOf(document: PDFDocumentProxy, at: number): Promise<TextItem[]> {
  const page = await document.getPage(at)
  const { items, styles } = await page.getTextContent()
  page.cleanup()
  return items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return []
    const [, , c = 0, d = 0, x = 0, y = 0] = item.transform as number[]
    const isMono = styles[item.fontName]?.fontFamily === 'monospace'
    const size = Math.hypot(c, d)
    return [{ text: item.str, x, y, width: item.width, size, font: item.fontName, isMono }]
  })
}

/** The size of most of the text, and the share of characters of the same width. */
function bodyOf(pages: readonly TextLine[][]): { size: number; monoShare: number } {
  const sizes = new Map<number, number>()
  let mono = 0
  let length = 0
  for (const { text, size, isMono } of pages.flat()) {
    sizes.set(size, (sizes.get(size) ?? 0) + text.length)
    length += text.length
    if (isMono) mono += text.length
  }
  const [size = 10] = [...sizes].sort((a, b) => b[1] - a[1])[0] ?? []
  return { size, monoShare: mono / Math.max(1, length) }
}

/** The title of the file, or the first large lines, and lines that are no headings for it. */
async function titleOf(
  document: PDFDocumentProxy,
  [first = [], ...rest]: readonly TextLine[][],
  size: number,
): Promise<{ title: string; titleLines: Set<TextLine> }> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }))
  const stated = String((info as { Title?: unknown }).Title ?? '').trim()
  const largest = Math.max(...first.map((line) => line.size))
  const isTitle = (line: TextLine) => largest > size * 1.3 && line.size > largest * 0.8
  const start = first.findIndex(isTitle)
  const end = first.findIndex((line, at) => at > start && !isTitle(line))
  const large = start < 0 ? [] : first.slice(start, end < 0 ? undefined : end)
  // A cover has no other text; the next page may repeat it.
  const isCover = first.every((line) => line.size > size * 1.08)
  const titleParts = isCover ? first : large
  const texts = new Set(titleParts.map(({ text }) => text))
  const again = rest[0]?.filter(({ text }) => texts.has(text)) ?? []
  const printed = large.map(({ text }) => text.trim()).join(' ')
  const isName = /\.(?:dvi|tex|docx?|ps|pdf)$|^untitled/i.test(stated)
  const title = stated && !isName ? stated : printed.replace(/[*∗†‡]$/, '').slice(0, 200)
  return { title, titleLines: new Set([...titleParts, ...again]) }
}

async function bookmarksOf(document: PDFDocumentProxy, counts: Counts): Promise<Bookmark[]> {
  const outline = await document.getOutline().catch(() => null)
  const bookmarks: Bookmark[] = []
  type Node = NonNullable<typeof outline>[number]
  const pending: [Node, number][] = (outline ?? []).map((node) => [node, 1])
  for (
    let next = pending.shift();
    next && bookmarks.length < maxBookmarks;
    next = pending.shift()
  ) {
    const [{ title, dest, items }, level] = next
    pending.unshift(...items.map((item): [Node, number] => [item, Math.min(6, level + 1)]))
    const target = typeof dest === 'string' ? await document.getDestination(dest) : dest
    const ref: unknown = target?.[0]
    const page = await pageIndexOf(document, ref).catch(() => undefined)
    if (page !== undefined && title.trim() !== '')
      bookmarks.push({
        title: title.replace(/\s+/g, ' ').trim(),
        level,
        page: page + 1,
        top: topOf(target),
      })
  }
  counts.add('bookmark', pending.length)
  return bookmarks
}

/** The upper edge of a destination, by the place that it has among the numbers of its kind. */
const tops: Readonly<Record<string, number>> = { XYZ: 3, FitH: 2, FitBH: 2, FitR: 5 }

function topOf(destination: readonly unknown[] | null): number | undefined {
  const kind = (destination?.[1] as { name?: string } | undefined)?.name ?? ''
  const top = destination?.[tops[kind] ?? -1]
  return typeof top === 'number' ? top : undefined
}

type PageRef = Parameters<PDFDocumentProxy['getPageIndex']>[0]

const pageIndexOf = async (document: PDFDocumentProxy, ref: unknown): Promise<number> =>
  typeof ref === 'number' ? ref : document.getPageIndex(ref as PageRef)
