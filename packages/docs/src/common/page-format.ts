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

/** Of the beginning of what claims to be a page, in bytes. */
const sampledBytes = 4096
/** The share of control characters past which bytes are no text. */
const maxControlShare = 0.05

/**
 * Bytes that are no text in any charset. UTF-16, which is full of NUL bytes, is named or brings a byte
 * order mark; a NUL here and there is a slip of whoever made the page, and read over.
 */
export function isBinary(bytes: Uint8Array, charset: string = ''): boolean {
  if (/^utf-?16/i.test(charset)) return false
  const [first, second] = bytes
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const sample = bytes.subarray(0, sampledBytes)
  if (marked || !sample.includes(0)) return false
  if (/^\s*</.test(Buffer.from(sample.subarray(0, 64)).toString('latin1'))) return isWide(sample)
  return sample.filter(isControl).length > sample.length * maxControlShare
}

/** UTF-16 that says so nowhere: every other byte of what is ASCII is NUL. */
const isWide = (sample: Uint8Array): boolean =>
  sample.filter((byte) => byte === 0).length * 3 > sample.length

const isControl = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)
