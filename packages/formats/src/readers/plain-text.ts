import { basename } from 'node:path'
import { cleanHtml, cleanMarkdown } from '@pith-mcp/cleaner'
import type { Format } from '../format.ts'
import { markdownLinks, maxInlineMarkdown } from './markdown.ts'
import { rst } from './rst.ts'

/** Text that begins with a Markdown title, or has a block of code. */
const isMarkdown = /^\s*#{1,6} \S|\n```\w*\n/

/** Text that is Markdown or reStructuredText in all but its name, and any other text. */
export const plainText: Format = {
  name: 'text',
  names: /\.txt$/i,
  maxInlineLength: maxInlineMarkdown,
  read(text, options) {
    if (isMarkdown.test(text)) return cleanMarkdown(text, options)
    if (isStructured.test(text)) return rst.read(text, options)
    const name = basename(options.url?.replace(/[?#].*$/s, '') ?? '')
    // The cleaner finds the sections of preformatted text.
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return cleanHtml(`<title>${name}</title><pre>\n${escaped}</pre>`, options)
  },
  links: markdownLinks,
}

/** A title above a line of one sign, or code after a line that introduces it. */
const isStructured = /^\S.*\n([^\w\s])\1{2,}$|::\n\n +\S|^\.\. [\w-]+::/m
