import { basename } from 'node:path'
import { type CleanOptions, cleanHtml, cleanMarkdown, type Page } from '@pith-mcp/cleaner'
import { DocsError, quoteValue } from './docs-error.ts'
import { textToMarkdown } from './text-to-markdown.ts'

/** Media types and file names of pages. */
const markdownType = /^(?:text|application)\/(?:x-|x-web-|vnd\.daringfireball\.)?(?:markdown|gfm)$/
const htmlTypes = new Set(['text/html', 'application/xhtml+xml'])
/** Types of files that a server does not know. */
const unknownType = /^$|^(?:application|binary)\/(?:x-)?(?:octet-stream|unknown|download)$/
const htmlName = /\.x?html?$/i
const markdownName = /\.(?:md|mdx|markdown)$/i
/** Text is read like Markdown, as far as it does not differ. */
const textName = /\.(?:rst|txt)$/i
/** Text that begins with a Markdown title, or has a block of code. */
const isMarkdown = /^\s*#{1,6} \S|\n```\w*\n/
/** Files that servers send as plain text although they are not for readers. */
const dataName = /\.(?:js|mjs|css|json|xml|csv|log|map)$/i

/** True for the name of a text or Markdown file, which has no HTML. */
export const isNamedText = (path: string): boolean => markdownName.test(path) || textName.test(path)

export type PageFormat = 'html' | 'markdown'

/**
 * The format of a page; undefined for anything that is not a page. Servers send Markdown with any
 * media type: the text decides where the path is that of Markdown, or the type tells nothing.
 */
export function formatOf(type: string, path: string, text: string): PageFormat | undefined {
  if (isHtmlText(text)) return isPageType(type) || isNamedText(path) ? 'html' : undefined
  if (markdownType.test(type)) return 'markdown'
  if (markdownName.test(path) && !hasHtmlOnly(text)) return 'markdown'
  if (htmlTypes.has(type)) return 'html'
  if (dataName.test(path)) return undefined
  if (type === 'text/plain') return 'markdown'
  if (!unknownType.test(type)) return undefined
  const start = startOf(text)
  if (!isNamedText(path) && (otherMark.test(start) || hasControls(start))) return undefined
  return formatOfFile(path) ?? (/<[a-z!]/i.test(start) ? 'html' : 'markdown')
}

/** The first characters of PDF and ZIP, which may hold few NUL bytes. */
const otherMark = /^%PDF|^PK/
const hasControls = (text: string): boolean =>
  Array.from(text, (character) => character.charCodeAt(0)).some(isControl)

const isPageType = (type: string): boolean =>
  markdownType.test(type) || htmlTypes.has(type) || type === 'text/plain' || unknownType.test(type)

/** The format of a file by its name; undefined for files that are not pages. */
export function formatOfFile(path: string): PageFormat | undefined {
  return htmlName.test(path) ? 'html' : isNamedText(path) ? 'markdown' : undefined
}

/** Some servers send HTML for every media type. */
export const isHtmlText = (text: string): boolean =>
  /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(text)

/** Characters of the start of a text that show its format. */
const startOf = (text: string): string => text.slice(0, 1024)

const htmlBlock = /<(?:article|div|h[1-6]|link|main|meta|p|section|title|ul)\b/i
const markdownBlock = /^(?:#{1,6} \S|```|~~~|---\s*$|[-*] \S)/m

/** HTML without a document around it. Markdown may begin with HTML, such as a centred picture. */
const hasHtmlOnly = (text: string): boolean =>
  htmlBlock.test(startOf(text)) && !markdownBlock.test(startOf(text))

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
