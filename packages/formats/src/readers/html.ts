import { cleanHtml } from '@pith-mcp/cleaner'
import type { Format } from '../format.ts'
import { linksOf, readPageLinks } from './html-links.ts'

export const html: Format = {
  name: 'HTML',
  types: /^(?:text\/html|application\/xhtml\+xml)$/,
  names: /\.x?html?$/i,
  start: /<[a-z!]/i,
  maxInlineLength: 2 ** 18,
  read: cleanHtml,
  links: (text, base, page) => (page ? linksOf(text, base, page) : readPageLinks(text, base)),
}

/** Some servers send HTML for every media type. */
export const isHtmlText = (text: string): boolean =>
  /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(text)
