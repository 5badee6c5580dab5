import { type CleanOptions, cleanHtml, cleanMarkdown, type Page } from '@pith-mcp/cleaner'

/** Formats that pages come in, by what a server or a file name says. */
const markdownTypes = new Set(['text/markdown', 'text/x-markdown'])
const htmlTypes = new Set(['text/html', 'application/xhtml+xml'])
const htmlName = /\.x?html?$/i
const markdownName = /\.(?:md|mdx|markdown)$/i
const textName = /\.(?:md|mdx|markdown|txt)$/i

export type PageFormat = 'html' | 'markdown'

/** The format of a page by its media type and path; undefined for anything that is no page. */
export function formatOf(type: string, path: string): PageFormat | undefined {
  if (markdownTypes.has(type)) return 'markdown'
  if (htmlTypes.has(type) || type === '') return 'html'
  return type === 'text/plain' && textName.test(path) ? 'markdown' : undefined
}

/** The format of a file by its name; undefined for files that are no pages. */
export function formatOfFile(path: string): PageFormat | undefined {
  return htmlName.test(path) ? 'html' : markdownName.test(path) ? 'markdown' : undefined
}

/** Some servers send HTML whatever is asked for. */
export const isHtmlText = (text: string): boolean =>
  /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(text)

/** What begins as HTML is HTML, whatever it is called. */
export function cleanPage(text: string, format: PageFormat, options: CleanOptions): Page {
  return format === 'html' || isHtmlText(text)
    ? cleanHtml(text, options)
    : cleanMarkdown(text, options)
}

/** No HTML in any charset but UTF-16, which is named or brings a byte order mark, has a NUL byte. */
export function isBinary(bytes: Uint8Array, charset: string = ''): boolean {
  if (/^utf-?16/i.test(charset)) return false
  const [first, second] = bytes
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return !marked && bytes.subarray(0, 4096).includes(0)
}
