import { decodeHTMLStrict } from 'entities/decode'
import { childrenOf, type Token } from './parse-markdown.ts'

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
      return options.links === 'text' || isReference(raw)
        ? inner(token, options)
        : raw
    default:
      return aroundChildren(token, options)
  }
}

const isReference = (raw: string): boolean => raw.startsWith('[') && !raw.endsWith(')')

const inner = (token: Token, options: InlineOptions): string =>
  childrenOf(token)
    .map((child) => sourceOf(child, options))
    .join('')

/** Emphasis, with the marks around its changed content. */
function aroundChildren(token: Token, options: InlineOptions): string {
  const source = childrenOf(token)
    .map(({ raw }) => raw)
    .join('')
  const at = source === '' ? -1 : token.raw.indexOf(source)
  if (at < 0) return token.raw
  return token.raw.slice(0, at) + inner(token, options) + token.raw.slice(at + source.length)
}

/** The text of tokens, without HTML. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map(textOf).join('')
}

function textOf(token: Token): string {
  const children = childrenOf(token)
  if (children.length > 0) return plainText(children)
  if (token.type === 'html' || token.type === 'br' || token.type === 'checkbox') return ''
  if (token.type === 'space') return ''
  const text = 'text' in token ? String(token.text) : token.raw
  return token.type === 'text' ? decodeHTMLStrict(text) : text
}
