import { decodeHTMLStrict } from 'entities/decode'
import { childrenOf, parseInline, type Token } from './parse-markdown.ts'

export interface InlineOptions {
  links: 'text' | 'keep' | 'reference'
}

/** The source of inline tokens, with links and images reduced to their text, and without HTML. */
export function inlineMarkdown(tokens: readonly Token[], options: InlineOptions): string {
  return tokens
    .map((token) => sourceOf(token, options))
    .join('')
    .replace(/\n[ \t]+/g, '\n')
}

function sourceOf(token: Token, options: InlineOptions): string {
  const { raw } = token
  switch (token.type) {
    case 'checkbox':
      return ''
    case 'html':
      return /^<br\b/i.test(raw) ? '\n' : ''
    case 'image': {
      const alt = plainText(childrenOf(token))
      return alt ? `![${alt}]` : ''
    }
    case 'link':
      // The definitions of references are not shown.
      return options.links === 'text' || isReference(raw) ? inner(token, options) : raw
    default:
      return raw
  }
}

const isReference = (raw: string): boolean => raw.startsWith('[') && !raw.endsWith(')')

const inner = (token: Token, options: InlineOptions): string =>
  childrenOf(token)
    .map((child) => sourceOf(child, options))
    .join('')

/** Stands for what is no plain text; Markdown has none. */
const hole = '\0'

/** The text of tokens, without HTML and marks of emphasis. */
export function plainText(tokens: readonly Token[]): string {
  const others: string[] = []
  const source = tokens
    .map((token) => {
      if (token.type === 'text' && childrenOf(token).length === 0)
        return token.raw.replaceAll(hole, '')
      others.push(textOf(token))
      return hole
    })
    .join('')
  const text = /[*_~]/.test(source) ? parseInline(source).map(textOf).join('') : source
  return decodeHTMLStrict(text).replaceAll(hole, () => others.shift() ?? '')
}

function textOf(token: Token): string {
  const children = childrenOf(token)
  if (children.length > 0) return plainText(children)
  if (['html', 'br', 'checkbox', 'space'].includes(token.type)) return ''
  return 'text' in token ? String(token.text) : token.raw
}
