import { cleanMarkdown } from '@pith-mcp/cleaner'
import type { Format, PageLink } from '../format.ts'
import { llmsLinks } from '../llms-links.ts'

/** Of Markdown: its parser can take time quadratic in the length, and has no limit. */
export const maxInlineMarkdown: number = 2 ** 15

export const markdown: Format = {
  name: 'Markdown',
  types: /^(?:text|application)\/(?:x-|x-web-|vnd\.daringfireball\.)?(?:markdown|gfm)$/,
  names: /\.(?:md|mdx|markdown)$/i,
  maxInlineLength: maxInlineMarkdown,
  read: cleanMarkdown,
  links: markdownLinks,
}

/** The links of Markdown. */
export function markdownLinks(text: string, base: string): PageLink[] {
  return llmsLinks(text, base).map(({ url, title }) => ({ rel: 'other', url, title }))
}
