import { basename } from 'node:path'
import { type CleanOptions, cleanHtml, cleanMarkdown, type Page } from '@pith-mcp/cleaner'
import { DocsError, quoteValue } from './docs-error.ts'
import { textToMarkdown } from './text-to-markdown.ts'

/** Media types and file names of pages. */
const markdownTypes = new Set(['text/markdown', 'text/x-markdown'])
const htmlTypes = new Set(['text/html', 'application/xhtml+xml'])
const htmlName = /\.x?html?$/i
/** Text is read like Markdown, as far as it does not differ. */
const markdownName = /\.(?:md|mdx|markdown|rst|txt)$/i
const textName = /\.(?:rst|txt)$/i
/** Text that begins with a Markdown title, or has a block of code. */
const isMarkdown = /^\s*#{1,6} \S|\n```\w*\n/
/** Files that servers send as plain text although they are not for readers. */
const dataName = /\.(?:js|mjs|css|json|xml|csv|log|map)$/i

/** True for the name of a text or Markdown file, which has no HTML. */
export const isNamedText = (path: string): boolean => markdownName.test(path)

export type PageFormat = 'html' | 'markdown'

/** The format of a page by its media type and path; undefined for anything that is not a page. */
export function formatOf(type: string, path: string): PageFormat | undefined {
  if (markdownTypes.has(type)) return 'markdown'
  if (htmlTypes.has(type) || type === '') return 'html'
  return type === 'text/plain' && !dataName.test(path) ? 'markdown' : undefined
}

/** The format of a file by its name; undefined for files that are not pages. */
export function formatOfFile(path: string): PageFormat | undefined {
  return htmlName.test(path) ? 'html' : markdownName.test(path) ? 'markdown' : undefined
}

/** Some servers send HTML for every media type. */
export const isHtmlText = (text: string): boolean =>
  /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(text)

/** A text that begins as HTML is cleaned as HTML, whatever its declared format. */
export function cleanPage(text: string, format: PageFormat, options: CleanOptions): Page {
  if (format === 'html' || isHtmlText(text)) return cleanHtml(text, options)
  const name = basename(options.url?.replace(/[?#].*$/s, '') ?? '')
  if (!textName.test(name) || isMarkdown.test(text)) return cleanMarkdown(text, options)
  const markdown = textToMarkdown(text)
  if (/^#|^~{6}/m.test(markdown)) return cleanMarkdown(markdown, options)
  // The cleaner finds the sections of preformatted text.
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return cleanHtml(`<title>${name}</title><pre>\n${escaped}</pre>`, options)
}

export const notAPage = (location: string, type: string = ''): DocsError =>
  new DocsError(
    'unsupported_type',
    `${quoteValue(location)} is ${type === '' ? '' : `of type ${quoteValue(type)}, `}not an HTML, Markdown or text page.`,
    'Pass an HTML, Markdown or text page.',
  )

/** Bytes of the start of a page that are inspected. */
const sampledBytes = 4096
/** Above this share of control characters, bytes are binary. */
const maxControlShare = 0.05

/**
 * True for bytes that are not text in any charset. UTF-16, full of NUL bytes, is recognised by its
 * charset or byte order mark. A few stray NUL bytes are tolerated.
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

/** Undeclared UTF-16: every other byte of ASCII text is NUL. */
const isWide = (sample: Uint8Array): boolean =>
  sample.filter((byte) => byte === 0).length * 3 > sample.length

const isControl = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)
